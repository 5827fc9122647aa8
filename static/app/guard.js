// @ts-check
/**
 * Says why the page does not start, where it does not: opened from a folder, sandboxed away from its server, a part
 * missing, a browser too old for it. A classic script in the language of old browsers, since it must run where the
 * page's modules do not.
 *
 * What always holds: a page that has started (main.js says so by `data-started`) never sees a word of this; the words
 * are fetched only when they are needed.
 */
(function () {
  var root = document.documentElement;
  var told = false;

  function failed() {
    return !told && root.getAttribute('data-state') !== 'usable';
  }

  /** What the page cannot do without. */
  function tooOld() {
    return !('noModule' in HTMLScriptElement.prototype) || !window.ResizeObserver || !window.createImageBitmap ||
      !Object.hasOwn || !window.structuredClone;
  }

  /** @returns {string} */
  function reason() {
    if (location.protocol === 'file:' && !document.getElementById('single-assets')) return 'file';
    if (tooOld()) return 'old';
    return window.origin === 'null' && location.protocol !== 'file:' ? 'origin' : 'files';
  }

  /** @param {Record<string, Record<string, string>>} words */
  function language(words) {
    var asked = /[?&#]lang=([\w-]+)/.exec(location.href);
    var wishes = [asked ? asked[1] : ''].concat([].slice.call(navigator.languages || [navigator.language]), 'en');
    var codes = Object.keys(words);
    for (var i = 0; i < wishes.length; i += 1) {
      for (var k = 0; k < codes.length; k += 1) {
        if (codes[k].toLowerCase().split('-')[0] === String(wishes[i]).toLowerCase().split('-')[0]) return codes[k];
      }
    }
    return 'en';
  }

  function show() {
    var words = /** @type {any} */ (window).notStartedWords;
    var note = document.getElementById('not-started');
    // The words have been fetched meanwhile: the page may have started after all.
    if (!words || !note || root.getAttribute('data-state') === 'usable') return;
    var why = reason();
    note.lang = language(words);
    note.setAttribute('data-reason', why);
    note.textContent = words[note.lang][why];
    note.hidden = false;
    var guide = document.getElementById('guide');
    if (guide) guide.setAttribute('href', 'static/guide/' + note.lang + '.html');
    // The page that frames the reader may hear this much; static/embed/protocol.js has the envelope.
    if (parent !== window) parent.postMessage({ source: 'image-to-fen', v: 1, type: 'error', code: 'not-started', params: { reason: why } }, '*');
  }

  function tell() {
    if (!failed()) return;
    told = true;
    if (/** @type {any} */ (window).notStartedWords) return show();
    var script = document.createElement('script');
    script.src = 'static/app/guard-words.js';
    script.onload = show;
    document.head.appendChild(script);
  }

  // A module that cannot be loaded or read is an error event of its element, which does not bubble.
  addEventListener('error', function (event) {
    var target = event.target;
    // What is asked for early may be missing: the page says what it lacks then.
    if (target === window || (target instanceof HTMLScriptElement && target.type === 'module' && !target.async)) tell();
  }, true);
  addEventListener('unhandledrejection', tell);
  // Browsers that know no modules say nothing at all; nor do some of an import that fails.
  addEventListener('load', function () {
    if (tooOld()) tell();
    setTimeout(function () {
      if (root.getAttribute('data-started') === null) tell();
    }, 3000);
  });
})();
