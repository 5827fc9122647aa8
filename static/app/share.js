// @ts-check
/** Out: files of the diagram and the position on show, and links that send only the FEN. */
import { diagramPng, diagramSvg, epd, pgn } from './diagram.js';
import { byId, el, icon } from './dom.js';
import * as fen from './fen.js';
import * as st from './state.js';

/** @param {string} text a FEN, as analysis pages write it in an address */
const inAddress = (text) => encodeURIComponent(text).replace(/%20/g, '_').replace(/%2F/g, '/');

/** Where a position can be looked at; nothing is sent until the person follows the link. @param {string} text @param {string} colour @param {boolean} legal */
export function analysisLinks(text, colour, legal) {
  return [
    { key: 'ui.link-lichess', href: `https://lichess.org/${legal ? 'analysis/standard' : 'editor'}/${inAddress(text)}?color=${colour}` },
    { key: 'ui.link-chesscom', href: `https://www.chess.com/analysis?fen=${encodeURIComponent(text)}&flip=${colour === 'black'}` },
  ];
}

/** @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const href = URL.createObjectURL(blob);
  const link = el('a', { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/** @param {string} text @param {string} name @param {string} [type] */
export const downloadText = (text, name, type = 'text/plain') => download(new Blob([text], { type: `${type};charset=utf-8` }), name);

/** @type {Readonly<Record<string, string>>} */
const FILES = Object.freeze({ 'save-png': 'diagram.png', 'save-svg': 'diagram.svg', 'save-pgn': 'position.pgn', 'save-epd': 'position.epd' });

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountShare(app) {
  const { store } = app;
  const sheet = byId('share-sheet');
  const coordinates = el('input', { type: 'checkbox', checked: true });
  const now = () => ({ doc: st.docOf(store.state), bottom: st.bottomShown(store.state), coordinates: coordinates.checked });

  const png = () => diagramPng(now().doc.board, now());
  const svg = () => diagramSvg(now().doc.board, { ...now(), title: st.textOf(now().doc) });
  /** @type {Record<string, () => void | Promise<void>>} */
  const outs = {
    'copy-picture': async () => {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': png() })]);
      app.notice('ui.picture-copied');
    },
    'save-png': async () => download(await png(), FILES['save-png']),
    'save-svg': () => downloadText(svg(), FILES['save-svg'], 'image/svg+xml'),
    'save-pgn': () => downloadText(pgn(fen.makeFen(now().doc), ''), FILES['save-pgn']),
    'save-epd': () => downloadText(`${epd(now().doc, '')}\n`, FILES['save-epd']),
  };

  /** @param {string} id @param {string} image */
  const out = (id, image) => el('button', { type: 'button', 'data-out': id, onclick: async () => {
    try {
      await outs[id]();
      byId('share').open = false;
      const name = FILES[id];
      if (name) app.announce(app.t('ui.saved', { name }));
    } catch (error) {
      console.warn(error);
      app.notice('ui.copy-refused');
    }
  } }, icon(image), el('span', {}, app.t(`ui.${id}`)));

  /** @param {st.State} state */
  function build(state) {
    const { t } = app;
    const doc = st.docOf(state);
    const legal = !(app.jobs.verdict(state)?.problems ?? []).some((/** @type {any} */ p) => p.severity === 'illegal' || p.severity === 'syntax');
    const links = analysisLinks(fen.makeFen(doc), st.bottomShown(state), legal).map(({ key, href }) =>
      el('a', { class: 'button', href, target: '_blank', rel: 'noopener noreferrer' }, icon('external-link'), el('span', {}, t(key))));
    sheet.replaceChildren(
      el('label', { class: 'check' }, coordinates, t('ui.with-coordinates')),
      out('copy-picture', 'copy'), out('save-png', 'download'), out('save-svg', 'download'), out('save-pgn', 'download'), out('save-epd', 'download'),
      el('hr'), ...links, el('p', { class: 'soft' }, t('ui.links-note')),
      el('hr'), el('button', { type: 'button', onclick: () => window.print() }, icon('printer'), el('span', {}, t('ui.print'))));
  }

  byId('share').addEventListener('toggle', () => byId('share').open && build(store.state));
  return (state, before) => {
    if (byId('share').open && (!before || st.docOf(before) !== st.docOf(state) || before.check !== state.check)) build(state);
    byId('print-line').textContent = `${st.textOf(st.docOf(state))} · ${app.t(st.docOf(state).side === 'w' ? 'ui.white-to-move' : 'ui.black-to-move')}`;
  };
}
