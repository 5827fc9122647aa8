// @ts-check
/**
 * Says why the checker's frame stays empty, where its modules could not be loaded. A classic script, which a frame
 * without an origin may load from any server; modules it may load only from servers that send
 * `Access-Control-Allow-Origin: *`.
 *
 * What always holds: the words are in embed.html, in every language; this only chooses among them and shows them.
 */
(() => {
  const asked = new URLSearchParams(location.hash.slice(1)).get('lang');
  const root = document.documentElement;
  const started = () => root.dataset.started !== undefined;

  let told = false;

  function tell() {
    if (told || started()) return;
    told = true;
    const note = document.getElementById('not-started');
    if (!note) return;
    // "null" stands for a frame that was given no origin.
    const reason = window.origin === 'null' ? 'origin' : 'files';
    const texts = /** @type {HTMLElement[]} */ ([...note.querySelectorAll(`[data-reason="${reason}"] > [lang]`)]);
    const wishes = [asked, ...navigator.languages, 'en'].map((wish) => (wish || '').toLowerCase().split('-')[0]);
    const best = wishes.map((wish) => texts.find((text) => text.lang.toLowerCase().split('-')[0] === wish)).find(Boolean);
    if (!best) return;
    for (const text of texts) text.hidden = text !== best;
    /** @type {HTMLElement} */ (best.parentElement).hidden = false;
    note.hidden = false;
    const checker = document.getElementById('checker');
    if (checker) checker.hidden = true;
    // The host may hear this much too; see protocol.js for the envelope.
    if (parent !== window) parent.postMessage({ source: 'image-to-fen', v: 1, type: 'error', code: 'not-started', params: { reason } }, '*');
  }

  // A module that cannot be loaded is an error event of its element, which does not bubble.
  addEventListener('error', (event) => {
    if (event.target instanceof HTMLScriptElement && event.target.type === 'module') tell();
  }, true);
  // One of its imports that cannot be loaded is none in some browsers.
  addEventListener('load', () => setTimeout(tell, 3000));
})();
