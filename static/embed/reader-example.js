// @ts-check
/**
 * The example page of the framed reader, and a log of everything that it says. Written to be read and copied from; it
 * uses nothing of this project, as a host's own page would not.
 */

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

const frame = byId('frame');
byId('frame-code').textContent = frame.outerHTML.replaceAll('&amp;', '&').replace(' class="tall"', '');

let asked = 0;
/** @param {string} type @param {Record<string, unknown>} [fields] */
function say(type, fields = {}) {
  // This frame is sandboxed and so has no origin that could be named; one that has gets new URL(frame.src).origin here.
  frame.contentWindow.postMessage({ source: 'image-to-fen', v: 1, type, id: ++asked, ...fields }, '*');
}

addEventListener('message', ({ source, data }) => {
  // The frame, and nobody else, and in the protocol's own envelope.
  if (source !== frame.contentWindow || data?.source !== 'image-to-fen' || data.v !== 1) return;
  const line = document.createElement('li');
  line.dataset.what = data.type;
  line.textContent = `${data.type} ${JSON.stringify(data).slice(0, 600)}`;
  byId('log').append(line);
  // The frame's first word: it is there, and answers from now on to the origin that speaks to it.
  if (data.type === 'ready' && !asked) say('set-options', { theme: 'auto' });
  if (data.type === 'change') {
    byId('fen-now').textContent = JSON.stringify(data.fen);
    byId('unsure-now').textContent = JSON.stringify(data.unsure);
  }
});

byId('send').addEventListener('click', async () => {
  say('read', { picture: await (await fetch('../examples/screen.png')).blob(), name: 'screen.png' });
});
byId('file').addEventListener('change', () => {
  const [file] = byId('file').files;
  if (file) say('read', { picture: file, name: file.name });
});
byId('ask').addEventListener('click', () => say('get-result'));

export {};
