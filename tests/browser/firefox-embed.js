// @ts-check
// Runs by itself in a browser without a driver: tries <fen-checker>, plain and in a sandbox, then posts what it saw.
import './static/embed/fen-checker.js';

const LOST_RIGHTS = '4k3/8/8/8/8/8/8/4K3 w K - 0 1';
const SOUND = '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1';

/** @param {Record<string, string>} attributes */
async function tryElement(attributes) {
  const checker = /** @type {any} */ (document.createElement('fen-checker'));
  for (const [name, value] of Object.entries({ fen: LOST_RIGHTS, lang: 'bn', ...attributes })) checker.setAttribute(name, value);
  const failed = new Promise((_, reject) => {
    checker.addEventListener('fen:error', (/** @type {CustomEvent} */ event) => reject(new Error(JSON.stringify(event.detail))));
  });
  document.body.append(checker);
  const first = await Promise.race([checker.getResult(), failed]);
  if (!first.checked) await failed; // why is told in its own message
  const fixed = first.problems[0].fixes[0].fen;
  checker.value = SOUND;
  const second = await Promise.race([checker.getResult(), failed]);
  const height = checker.shadowRoot.querySelector('iframe').getBoundingClientRect().height;
  checker.remove();
  return { code: first.problems[0].code, title: first.problems[0].title, fixed, value: checker.value, fen: second.fen, height };
}

/** @type {Record<string, any>} */
const seen = {};
try {
  seen.plain = await tryElement({});
  seen.sandbox = await tryElement({ sandbox: '' });
} catch (error) {
  seen.error = String(error);
}
await fetch('report', { method: 'POST', body: JSON.stringify(seen) });
