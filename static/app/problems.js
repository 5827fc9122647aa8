// @ts-check
/** What is to look at and what is wrong: each with its place, its reason and its cures, as buttons. */
import { byId, el, icon, keepFocus } from './dom.js';
import * as fen from './fen.js';
import { EXPLAINED, guideAddress } from './guide.js';
import { fixWords, problemWords, spoken } from './phrases.js';
import { doneWords } from './say.js';
import * as st from './state.js';
import { applyFix } from './transform.js';

const ICONS = /** @type {Record<string, string>} */ ({ syntax: 'circle-alert', illegal: 'circle-alert', suspect: 'triangle-alert', note: 'info' });
const ORDER = ['syntax', 'illegal', 'suspect', 'note'];
const READING = ['turn-doubtful', 'misread-suspected'];
const TOO_MANY = ['kings-many', 'too-many-pawns', 'too-many-pieces'];
const MOST_DOUBTS = 16; // more than this is one finding: the picture was not read well

/** @param {import('./app.js').App} app @returns {import('./app.js').Render} */
export function mountProblems(app) {
  const { store } = app;
  const doubts = byId('doubts');
  const problems = byId('problems');
  let shownVerdict = /** @type {any} */ (undefined);
  let said = ''; // how many there were, as it was last said

  /** @param {string} name a square */
  const squareButton = (name) =>
    el('button', { type: 'button', class: 'link fen', onclick: () => goTo(fen.squareIndex(name)) }, name);

  /** @param {number} i */
  function goTo(i) {
    store.set(st.patch(store.state, { focus: i }));
    byId('board-grid').querySelector('[tabindex="0"]')?.focus();
  }

  /** @param {st.Doc} doc @param {st.State} state */
  function renderDoubts(doc, state) {
    const list = st.unsureSquares(doc);
    doubts.hidden = !list.length;
    if (!list.length) return doubts.replaceChildren();
    const items = list.slice(0, MOST_DOUBTS).map((i) => {
      const read = /** @type {st.ReadSquare} */ (doc.squares?.[i]);
      const best = el('button', { type: 'button', class: 'link' }, el('b', { class: 'fen' }, fen.squareName(i)), ' ',
        app.t('ui.doubt', { piece: app.t.piece(doc.board[i]), percent: app.t.percent(read.probability) }));
      best.addEventListener('click', () => goTo(i));
      const next = read.alternatives[0];
      const take = next && el('button', { type: 'button', class: 'small', onclick: () => store.set(st.setPiece(store.state, i, next[0])) },
        app.t('ui.make-it', { piece: app.t.piece(next[0]) }));
      return el('li', { class: 'item', 'data-kind': 'doubt', 'data-now': i === state.focus || null }, best, take);
    });
    doubts.replaceChildren(
      el('header', { class: 'head' }, el('h3', { id: 'doubts-title' }, app.t('ui.doubts', { n: list.length })),
        el('button', { type: 'button', class: 'small end', onclick: () => app.act('next-unsure') }, app.t('ui.next-unsure'))),
      el('ul', { class: 'items' }, ...items));
  }

  /** @param {{code: string, fen: string, params?: any}} fix */
  const fixButton = (fix) =>
    el('button', { type: 'button', class: 'small fix', 'data-fix': fix.code, title: fix.fen, onclick: () => {
      const before = store.state;
      // A picture that is turned is asked anew what it tells of the other fields.
      if (fix.code === 'turn' && st.docOf(before).squares) return app.act('turn');
      store.set(applyFix(before, fix));
      app.tell(`${app.t('ui.fixed')} ${doneWords(app.t, before, store.state)}`);
    } }, fixWords(app.t, fix));

  /** @param {string} code @param {string} name of the problem */
  const more = (code, name) => {
    const { t } = app;
    return el('a', { href: guideAddress(t.language, `mistake-${code}`), target: '_blank', rel: 'noopener', 'aria-label': t('a11y.guide-on', { name }) }, t('ui.guide-more'));
  };

  /** Of too many men, the one that was read least surely. @param {any} problem @param {st.Doc} doc @returns {string} */
  function leastSure({ code, squares }, { squares: read }) {
    if (!read || !TOO_MANY.includes(code)) return '';
    const [first, second] = squares.map((/** @type {string} */ name) => ({ ...read[fen.squareIndex(name)], name }))
      .filter((/** @type {any} */ q) => !q.looked).sort((/** @type {any} */ a, /** @type {any} */ b) => a.probability - b.probability);
    return second ? app.t('ui.least-sure', { square: first.name, percent: app.t.percent(first.probability) }) : '';
  }

  /** @param {any} verdict @param {st.State} state */
  function renderProblems(verdict, state) {
    const title = el('h3', { id: 'problems-title' });
    const work = st.workOf(state);
    if (!['blank', 'read'].includes(work.status) && !st.historyOf(state).past.length && !st.docOf(state).read) {
      title.textContent = app.t('ui.not-read'); // an empty board that nobody has set up is no position to judge
      problems.dataset.state = 'unknown';
      return problems.replaceChildren(title);
    }
    if (!verdict) {
      const failed = state.engine.phase === 'failed';
      title.textContent = app.t(failed ? 'ui.not-checked' : state.engine.phase === 'ready' ? 'ui.checking' : 'ui.check-waits');
      problems.dataset.state = 'unknown';
      return problems.replaceChildren(title);
    }
    // What a likely misreading explains comes first: its cure mends the rest.
    const rank = (/** @type {any} */ p) => (READING.includes(p.code) ? -1 : ORDER.indexOf(p.severity));
    const found = [...verdict.problems].sort((a, b) => rank(a) - rank(b));
    const faults = found.filter((p) => p.severity !== 'note').length;
    title.textContent = faults ? app.t('ui.problems', { n: faults }) : app.t('ui.sound');
    problems.dataset.state = faults ? 'fault' : 'sound';
    const cleaned = (verdict.cleaned ?? []).filter((/** @type {any} */ c) => app.t.has(`cleaned.${c.code}`)).map((/** @type {any} */ c) =>
      el('li', { class: 'item', 'data-kind': 'note' }, icon('info'), el('p', {}, app.t(`cleaned.${c.code}`, spoken(app.t, c.params ?? c)))));
    const items = found.map((problem) => {
      const { title: name, body } = problemWords(app.t, problem);
      const explained = EXPLAINED.has(problem.code);
      return el('li', { class: 'item', 'data-kind': problem.severity, 'data-code': problem.code }, icon(ICONS[problem.severity] ?? 'info'),
        el('div', {}, el('p', { class: 'name' }, name),
          body || explained ? el('p', { class: 'soft' }, body, body ? ' ' : '', explained ? more(problem.code, name) : null) : null,
          problem.squares?.length ? el('p', { class: 'at' }, ...problem.squares.map(squareButton), ' ', leastSure(problem, st.docOf(state))) : null,
          problem.fixes?.length ? el('div', { class: 'row' }, ...problem.fixes.map(fixButton)) : null));
    });
    problems.replaceChildren(title, el('ul', { class: 'items' }, ...items, ...cleaned),
      verdict.fixes?.length ? el('div', { class: 'row' }, ...verdict.fixes.map(fixButton)) : '');
  }

  return (state, before) => {
    const doc = st.docOf(state);
    if (!before || st.docOf(before) !== doc || before.focus !== state.focus) keepFocus(doubts, () => renderDoubts(doc, state), '#problems-title');
    const verdict = app.jobs.verdict(state);
    const same = before && verdict?.problems === shownVerdict && st.workOf(before).status === st.workOf(state).status;
    if (same && (verdict || before.engine.phase === state.engine.phase)) return;
    // While an edit is being checked (some milliseconds) the former answer stays, so that nothing jumps.
    if (!verdict && before && shownVerdict && state.engine.phase === 'ready') {
      problems.dataset.state = 'unknown';
      return;
    }
    shownVerdict = verdict?.problems;
    keepFocus(problems, () => renderProblems(verdict, state));
    const { state: now = '' } = problems.dataset;
    const words = problems.querySelector('h3')?.textContent ?? '';
    // That nothing is wrong is news only where something was.
    if (now === 'fault' ? words !== said : now === 'sound' && said) app.announce(words);
    if (now !== 'unknown') said = now === 'fault' ? words : '';
  };
}
