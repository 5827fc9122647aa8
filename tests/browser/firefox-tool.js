// @ts-check
// Lies beside the page's own modules in a copy of it: uses the tool as a person does, then posts what it saw.

const EDITED = 'r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1'; // no rook on a1
/** @type {Record<string, any>} */
const seen = {};

/** @param {string} selector @returns {any} */
const the = (selector) => document.querySelector(selector);

/** Wait until something is true, and return it. @param {string} what @param {() => any} found */
async function until(what, found) {
  for (const end = performance.now() + 60_000; performance.now() < end;) {
    const value = found();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited in vain: ${what}`);
}

/** @param {string} key @param {KeyboardEventInit} [more] */
function press(key, more = {}) {
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
}

const fen = () => the('#fen').value;
const idle = () => the('#status').dataset.state === 'idle';

/** Choose files as if by the file dialog. @param {...string} names of our examples */
async function choose(...names) {
  const files = new DataTransfer();
  for (const name of names) {
    const blob = await (await fetch(`static/examples/${name}`)).blob();
    files.items.add(new File([blob], name, { type: blob.type }));
  }
  the('#file').files = files.files;
  the('#file').dispatchEvent(new Event('change', { bubbles: true }));
}

/** What the page hands to the system to save. @param {() => void} act @returns {Promise<Blob>} */
function saved(act) {
  const { createObjectURL } = URL;
  return new Promise((resolve) => {
    URL.createObjectURL = (/** @type {any} */ blob) => {
      URL.createObjectURL = createObjectURL;
      resolve(blob);
      return createObjectURL(blob);
    };
    act();
  });
}

try {
  await until('usable', () => document.documentElement.dataset.state === 'usable');
  await choose('screen.png');
  await until('a reading', () => fen().includes('K') && !fen().startsWith('rnbqkbnr/') && idle());
  seen.read = fen();

  // a corner by keys, and back
  const corner = () => the("[data-corner='top-left']").getAttribute('aria-label');
  const before = corner();
  the("[data-corner='top-left']").focus();
  press('ArrowRight');
  await until('a moved corner, read', () => corner() !== before && idle() && !the("[data-action='undo']").disabled);
  seen.moved = fen();
  the("[data-action='undo']").click();
  await until('the corner back', () => corner() === before);

  // a man by keys on the accessible grid, undone
  the("#board-grid [data-square='a6']").focus();
  press('Q', { shiftKey: true });
  seen.placed = await until('a queen', () => (the("[data-square='a6']").dataset.piece === 'Q' ? fen() : ''));
  press('z', { ctrlKey: true });
  await until('no queen', () => fen() === seen.read);

  // a fault and its cure
  the('#fen').value = EDITED;
  the('#fen').dispatchEvent(new Event('input', { bubbles: true }));
  (await until('a cure', () => the("[data-code='castling-impossible'] [data-fix]"))).click();
  seen.cured = await until('cured', () => (fen() !== EDITED ? fen() : ''));

  // words of another language
  the('#language').value = 'gu';
  the('#language').dispatchEvent(new Event('change', { bubbles: true }));
  await until('Gujarati', () => document.documentElement.lang === 'gu');
  seen.copy = the("[data-action='copy']").textContent.trim();

  // the board as a picture, drawn and written
  for (const kind of ['svg', 'png']) {
    the('#share').open = true;
    const button = await until(`a way to save ${kind}`, () => the(`[data-out='save-${kind}']`));
    const blob = await saved(() => button.click());
    await until('a closed menu', () => !the('#share').open);
    seen[kind] = { type: blob.type, bytes: blob.size };
  }

  // several pictures, exported together
  await choose('book.jpg', 'photo.jpg');
  await until('three readings', () => document.querySelectorAll("#queue > li[data-state='read']").length === 3 && idle());
  seen.list = (await (await saved(() => the("[data-list='fen']").click())).text()).trim().split('\n');

  // kept for a time without a network
  await until('kept', () => document.documentElement.dataset.offline === 'kept');
  seen.caches = await caches.keys();
} catch (error) {
  seen.error = `${error} ${JSON.stringify(seen)}`;
}
// By GET: once the service worker stands, the page can send nothing.
await fetch(`report?${encodeURIComponent(JSON.stringify(seen))}`);
