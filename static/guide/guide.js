// @ts-check
/**
 * What the guide can do beyond being read: draw its diagrams, and light up in the worked example what a row speaks of.
 *
 * Everything is in the page already: each diagram's position stands there in words, the worked example is a table.
 * This module adds to them and loads nothing but the piece art; without it nothing is missing but the drawings.
 */

import { EDGE_WIDTH, LINE_WIDTH, artOf } from '../app/piece-art.js';

const SVG = 'http://www.w3.org/2000/svg';
const FILES = 'abcdefgh';
const MARGIN = 44; // for the coordinates; a square is 100

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {Element} [parent]
 */
function draw(name, attributes, parent) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  parent?.append(node);
  return node;
}

/** @param {string} square @returns {[number, number]} its left and upper edge */
const placeOf = (square) => [FILES.indexOf(square[0]) * 100, (8 - Number(square[1])) * 100];

/**
 * List the men of a FEN.
 * @param {string} fen
 * @returns {[string, string][]} square and letter
 */
export function men(fen) {
  /** @type {[string, string][]} */
  const found = [];
  fen.split(' ')[0].split('/').forEach((rank, r) => {
    let file = 0;
    for (const letter of rank) {
      if (/\d/.test(letter)) file += Number(letter);
      else found.push([FILES[file++] + (8 - r), letter]);
    }
  });
  return found;
}

/** @param {Element} svg @param {string} square @param {string} letter */
function drawMan(svg, square, letter) {
  const { art, ink } = artOf(letter);
  const [x, y] = placeOf(square);
  const man = draw('g', { class: 'piece', transform: `translate(${x} ${y})` }, svg);
  const round = { 'stroke-linejoin': 'round', 'stroke-linecap': 'round' };
  for (const d of art.body) draw('path', { d, fill: ink.fill, stroke: ink.edge, 'stroke-width': EDGE_WIDTH, ...round }, man);
  for (const d of art.line) draw('path', { d, fill: 'none', stroke: ink.line, 'stroke-width': LINE_WIDTH, ...round }, man);
  for (const d of art.dot) draw('path', { d, fill: ink.line }, man);
}

/**
 * Draw a position, White at the bottom, with coordinates and framed squares.
 * The words beside it stay for those who listen, so the drawing itself is hidden from them.
 * @param {string} fen
 * @param {string[]} marks squares at fault, framed whole
 * @param {string[]} points squares that the text speaks of, framed with dashes
 */
function diagram(fen, marks, points) {
  const svg = draw('svg', { viewBox: `${-MARGIN} -4 ${800 + MARGIN + 4} ${800 + MARGIN + 4}`, 'aria-hidden': 'true', focusable: 'false' });
  for (let i = 0; i < 64; i++) {
    const [file, row] = [i % 8, i >> 3];
    const shade = (file + row) % 2 ? 'dark' : 'light';
    draw('rect', { class: shade, x: file * 100, y: row * 100, width: 100, height: 100 }, svg);
  }
  for (let i = 0; i < 8; i++) {
    draw('text', { class: 'coordinate', x: i * 100 + 50, y: 834 }, svg).textContent = FILES[i];
    draw('text', { class: 'coordinate', x: -24, y: i * 100 + 61 }, svg).textContent = String(8 - i);
  }
  draw('rect', { class: 'frame', x: 0, y: 0, width: 800, height: 800 }, svg);
  draw('g', { class: 'glows' }, svg);
  for (const [square, letter] of men(fen)) drawMan(svg, square, letter);
  for (const square of [...marks, ...points]) {
    const [x, y] = placeOf(square);
    draw('rect', { class: marks.includes(square) ? 'mark' : 'point', x: x + 5, y: y + 5, width: 90, height: 90, rx: 8 }, svg);
  }
  return svg;
}

/** @param {string | undefined} text @returns {string[]} */
const words = (text) => (text || '').split(' ').filter(Boolean);

/** Draw every diagram above its words. */
function drawDiagrams() {
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('figure.diagram'))) {
    figure.prepend(diagram(figure.dataset.fen || '', words(figure.dataset.marks), words(figure.dataset.points)));
    figure.classList.add('drawn');
  }
}

/**
 * Tie the rows of the worked example, the parts of its FEN and the squares of its board together: pointing at one
 * lights all that belong to it; a row's button keeps it lit.
 * @param {HTMLTableElement} table
 */
function lightUp(table) {
  const board = document.getElementById(table.dataset.board || '');
  const section = table.closest('section');
  const glows = board?.querySelector('.glows');
  if (!board || !section || !glows) return;

  /** @type {string | null} */
  let kept = null;
  /** @param {string | null} name */
  const show = (name) => {
    for (const node of section.querySelectorAll('[data-light]')) node.classList.toggle('lit', node.getAttribute('data-light') === name);
  };

  for (const row of /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll('tr[data-light]'))) {
    const name = row.dataset.light || '';
    const rank = /^rank-(\d)$/.exec(name)?.[1];
    if (rank) draw('rect', { class: 'glow', 'data-light': name, x: 3, y: placeOf(`a${rank}`)[1] + 3, width: 794, height: 94, 'pointer-events': 'all' }, glows);
    for (const square of words(row.dataset.squares)) {
      const [x, y] = placeOf(square);
      draw('rect', { class: 'glow', 'data-light': name, x: x + 3, y: y + 3, width: 94, height: 94, 'pointer-events': 'none' }, glows);
    }
    const head = /** @type {HTMLTableRowElement} */ (row).cells[0];
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    button.setAttribute('aria-label', `${head.textContent}: ${table.dataset.show}`);
    button.setAttribute('aria-pressed', 'false');
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      kept = kept === name ? null : name;
      for (const other of table.querySelectorAll('button')) other.setAttribute('aria-pressed', String(other === button && kept !== null));
      show(kept);
    });
    button.addEventListener('focus', () => show(name));
    button.addEventListener('blur', () => show(kept));
  }
  for (const node of section.querySelectorAll('[data-light]')) {
    node.addEventListener('pointerenter', () => show(node.getAttribute('data-light')));
    node.addEventListener('pointerleave', () => show(kept));
  }
  for (const hint of /** @type {NodeListOf<HTMLElement>} */ (board.querySelectorAll('.hint'))) hint.hidden = false;
}

/** Let a change of language stay at the same place in the text. */
function keepPlace() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('.languages a'))) {
    link.addEventListener('click', () => {
      link.hash = location.hash;
    });
  }
}

drawDiagrams();
for (const table of /** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll('table[data-board]'))) lightUp(table);
keepPlace();
// The drawings have made the page longer: go again to the place the address names.
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
