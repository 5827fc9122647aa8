// @ts-check
/**
 * Many pictures: which diagrams there are, which of them to look at first, which are the same, which pages of a PDF
 * are meant. Pure functions of the state; the list, its tools and its files draw and write what they say.
 *
 * What always holds: a diagram is a picture and the number of a board in it; doubt is taken from the position as it is
 * now, so that what has been settled by hand weighs no more.
 */
import * as fen from './fen.js';
import * as st from './state.js';

/** @typedef {{work: st.Work, at: number, history: st.History}} Diagram */

/** Pages of a PDF that are read at once, without asking which. */
export const PAGES_UNASKED = 8;
/** More pages than this at once are no list any more. */
const MOST_PAGES = 2000;

/** @param {st.Work} work @returns {boolean} whether it holds boards that were read, perhaps not all of them yet, or one set up by hand */
const hasBoards = (work) =>
  work.boards[0].now.corners !== null || (work.status === 'read' && work.boards.length > 0) || (['none', 'failed'].includes(work.status) && /[^.]/.test(work.boards[0].now.board));

/** @param {st.Work} work @returns {Diagram[]} */
export const diagramsOf = (work) => (hasBoards(work) ? work.boards.map((history, at) => ({ work, at, history })) : []);

/** @param {st.State} s @returns {Diagram[]} in the order of the list */
export const diagrams = (s) => s.works.flatMap(diagramsOf);

/**
 * Remember what a function says of a document: documents never change, and a list of hundreds asks at every step.
 * @template T @param {(doc: st.Doc) => T} say @returns {(doc: st.Doc) => T}
 */
function remembered(say) {
  /** @type {WeakMap<st.Doc, T>} */
  const said = new WeakMap();
  return (doc) => {
    const known = said.get(doc);
    if (known !== undefined) return known;
    const answer = say(doc);
    said.set(doc, answer);
    return answer;
  };
}

const textOf = remembered(st.textOf);

/** @param {st.History} history */
export const isAccepted = (history) => history.accepted !== null && history.accepted === textOf(history.now);

/** @param {st.Doc} doc @returns {any[]} what the reading has against the position, as long as it is the one that was read */
const problemsOf = (doc) => (doc.read && doc.read.fen === textOf(doc) ? doc.read.problems : []);

/**
 * How much there is to look at, in squares that may be wrong: what is unsure, what is impossible, which way up.
 * 0 where nothing is to be looked at.
 */
export const doubtOf = remembered((doc) => {
  const unsure = st.unsureSquares(doc).reduce((sum, i) => sum + 1 - (doc.squares?.[i].probability ?? 1), 0);
  const marked = st.unsureSquares(doc).length;
  const problems = problemsOf(doc).reduce((sum, p) => sum + ({ syntax: 4, illegal: 4, suspect: 1 }[/** @type {string} */ (p.severity)] ?? 0), 0);
  const broken = doc.text !== null && !fen.parseFen(doc.text) ? 8 : 0;
  return broken + problems + marked * 0.25 + unsure;
});

/**
 * The diagrams by doubt, the worst first; what has been accepted comes last.
 * @param {st.State} s
 * @returns {Diagram[]}
 */
export function byDoubt(s) {
  const rank = diagrams(s).map((d) => ({ d, done: isAccepted(d.history) ? 1 : 0, doubt: doubtOf(d.history.now) }));
  return rank.sort((a, b) => a.done - b.done || b.doubt - a.doubt).map(({ d }) => d);
}

/** @param {st.State} s @param {Diagram | undefined} d @returns {st.State} shown, with its first unsure square in focus */
export function goTo(s, d) {
  if (!d) return s;
  const focus = st.unsureSquares(d.history.now)[0] ?? s.focus;
  return st.patchWork(st.patch(st.pickWork(s, d.work.id), { focus }), d.work.id, { board: d.at });
}

/**
 * Go on to another diagram that has not been accepted, in the order of the list that is shown.
 * @param {st.State} s
 * @param {1 | -1} step
 */
export function goOn(s, step) {
  const all = s.order === 'doubt' ? byDoubt(s) : diagrams(s);
  const { current } = s;
  const here = all.findIndex((d) => d.work.id === current && d.at === st.workOf(s).board);
  const ring = [...all.slice(here + 1), ...all.slice(0, Math.max(here, 0))];
  if (step < 0) ring.reverse();
  return goTo(s, ring.find((d) => !isAccepted(d.history)));
}

/** @param {st.State} s @param {(d: Diagram) => boolean} which @returns {st.State} those diagrams are right as they are */
export function acceptAll(s, which) {
  const works = s.works.map((work) => {
    if (!hasBoards(work) || work.status === 'blank') return work;
    const boards = work.boards.map((history, at) => (which({ work, at, history }) ? { ...history, accepted: st.textOf(history.now) } : history));
    return { ...work, boards };
  });
  return st.patch(s, { works });
}

/** @param {st.State} s @returns {st.State} the diagram on show is right; on to the worst that is left */
export function accept(s) {
  const { id, board } = st.workOf(s);
  const next = acceptAll(s, (d) => d.work.id === id && d.at === board);
  const left = s.order === 'doubt' ? byDoubt(next).find((d) => !isAccepted(d.history)) : undefined;
  return s.order === 'doubt' ? goTo(next, left) : goOn(next, 1);
}

/** @param {Diagram} d @returns {boolean} whether it stands as it was read, nothing is to be looked at, and nobody has said so yet */
export const isPlain = (d) =>
  d.work.status === 'read' && !isAccepted(d.history) && d.history.now.read?.fen === textOf(d.history.now) && doubtOf(d.history.now) === 0;

/** @param {st.Work} work @returns {boolean} whether a person's work would go with it */
export const isWorkedOn = (work) => hasBoards(work) && work.boards.some(st.touched);

/**
 * Diagrams that show the same men on the same squares as an earlier one.
 * @param {readonly Diagram[]} all in the order of the list
 * @returns {Map<st.History, Diagram>} the later one's history → the first
 */
export function repeats(all) {
  /** @type {Map<string, Diagram>} */
  const first = new Map();
  /** @type {Map<st.History, Diagram>} */
  const found = new Map();
  for (const d of all) {
    const key = d.history.now.board;
    if (/^\.*$/.test(key)) continue;
    const earlier = first.get(key);
    if (earlier) found.set(d.history, earlier);
    else first.set(key, d);
  }
  return found;
}

/**
 * Pages as a person writes them: "1-20, 35".
 * @param {string} text
 * @param {number} pages how many there are
 * @returns {number[] | null} from 1, each once, in order; null where the text means none
 */
export function parsePages(text, pages) {
  /** @type {Set<number>} */
  const found = new Set();
  for (const part of text.replace(/\s*[-–—]\s*/g, '-').split(/[,;\s]+/).filter(Boolean)) {
    const match = /^(\d{1,6})(-?)(\d{0,6})$/.exec(part);
    if (!match) return null;
    const from = Number(match[1]);
    const to = match[3] ? Number(match[3]) : match[2] ? pages : from;
    if (from < 1 || to < from || from > pages) return null;
    for (let n = from; n <= Math.min(to, pages) && found.size < MOST_PAGES; n++) found.add(n);
  }
  return found.size ? [...found].sort((a, b) => a - b) : null;
}

/**
 * Put pages in the place of the PDF file that holds them.
 * @param {st.State} s
 * @param {number} id the work of the file
 * @param {{id: number, page: number}[]} chosen
 */
export function splitPages(s, id, chosen) {
  const at = s.works.findIndex((w) => w.id === id);
  if (at < 0) return s;
  const { name, source } = s.works[at];
  const works = chosen.map((c) => st.freshWork(c.id, name, { source: { file: source?.file ?? id, page: c.page, pages: source?.pages ?? 0 } }));
  const next = st.patch(s, { works: [...s.works.slice(0, at), ...works, ...s.works.slice(at + 1)] });
  return s.current === id ? st.pickWork(next, chosen[0].id) : next;
}

/**
 * Take works back that were kept; what was under way is begun again.
 * @param {st.State} s @param {st.Work[]} kept
 */
export function restoreWorks(s, kept) {
  const works = kept.map((w) => ({ ...w, status: ['reading', 'failed'].includes(w.status) ? /** @type {const} */ ('queued') : w.status, error: null, progress: null }));
  const next = st.patch(s, { works: [...s.works, ...works] });
  if (!works.length || st.workOf(s).status !== 'blank') return next;
  // The position that the address brought back is a diagram of the list: what is done to it belongs there.
  const text = st.textOf(st.docOf(s));
  for (const work of works) {
    const board = work.boards.findIndex((h) => h.now.corners && st.textOf(h.now) === text);
    if (board >= 0) return st.pickWork(st.patchWork(next, work.id, { board }), work.id);
  }
  return st.historyOf(s).past.length ? next : st.pickWork(next, works[0].id);
}

/** @param {import('./i18n.js').Translate} t @param {st.Work} work @returns {string} the file, and the page of it */
export const workName = (t, work) => (work.source?.page && work.source.pages > 1 ? t('ui.page-of', { name: work.name, page: work.source.page }) : work.name);

/** @param {import('./i18n.js').Translate} t @param {Diagram} d @returns {string} the picture, and which of its boards */
export const diagramName = (t, { work, at }) => (work.boards.length > 1 ? t('ui.diagram-of', { name: workName(t, work), n: at + 1 }) : workName(t, work));
