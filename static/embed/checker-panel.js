// @ts-check
/**
 * The checker as a person meets it: a field, the drawn board, what is wrong with it and the cures as buttons.
 *
 * Where it stands: main.js gives it the words and the engine, and tells the host what it says.
 * What always holds: one text, of which everything else is drawn; the field and the board need no Python; an answer
 * counts only for the text that it was asked about; text of others only ever goes in as text.
 */
import { byId, el, icon } from '../app/dom.js';
import { parsePlacement } from '../app/fen.js';
import { errorWords } from '../app/phrases.js';
import { marksOfProblems, mountBoardPicture, ranksOfProblems } from './board-picture.js';
import { sketch } from './sketch.js';

const TYPING_MS = 150; // a check costs a millisecond or two; this only spares the eye
const SAID_MS = 700; // a screen reader is told when the typing has ceased
const ICONS = /** @type {Record<string, string>} */ ({ syntax: 'circle-alert', illegal: 'circle-alert', suspect: 'triangle-alert', note: 'info' });

/** @typedef {import('../app/i18n.js').Translate} Translate */
/** @typedef {import('../app/engine-types.js').EngineState} EngineState */
/** @typedef {import('../app/engine-types.js').LoadProgress} LoadProgress */
/** @typedef {import('./explained.js').Explained} Explained */

/**
 * What the host is told.
 * @typedef {object} Result
 * @property {string} text
 * @property {string | null} fen
 * @property {boolean} checked  false: the checker could not be started
 * @property {Explained['problems']} problems
 * @property {Explained['cleaned']} cleaned
 * @property {Explained['fixes']} fixes
 */

/**
 * @param {object} needs
 * @param {Translate} needs.t
 * @param {(text: string, language: string) => Promise<Explained>} needs.explain  rejects with a coded error
 * @param {() => void} needs.restart  the engine, that failed, once more
 * @param {(result: Result, by: 'person' | 'host') => void} needs.onSettled  a text has its answer
 */
export function mountPanel({ t, explain, restart, onSettled }) {
  /** @type {HTMLTextAreaElement} */
  const field = byId('fen');
  const picture = mountBoardPicture(byId('board'));
  let words = t;
  let orientation = 'white';
  /** @type {'person' | 'host'} */
  let by = 'host';
  /** @type {{text: string, language: string, answer: Explained} | null} */
  let known = null;
  /** @type {EngineState} */
  let engine = { state: 'loading' };
  /** @type {LoadProgress | null} */
  let loading = null;
  /** @type {string[]} texts that a button has replaced */
  let former = [];
  let typing = 0;
  let saying = 0;
  let asked = 0;

  const failed = () => engine.state === 'failed';
  const answerNow = () => (known && known.text === field.value ? known.answer : null);
  const settled = () => failed() || (answerNow() !== null && known?.language === words.language);

  /** @returns {Result} */
  function result() {
    const answer = answerNow();
    const { fen = null, problems = [], cleaned = [], fixes = [] } = answer ?? {};
    return { text: field.value, fen, checked: answer !== null, problems, cleaned, fixes };
  }

  async function check() {
    clearTimeout(typing);
    const mine = ++asked;
    if (failed()) return onSettled(result(), by);
    const [text, { language }] = [field.value, words];
    try {
      const answer = await explain(text, language);
      if (mine !== asked) return;
      known = { text, language, answer };
      render();
      onSettled(result(), by);
    } catch (error) {
      if (mine !== asked || failed()) return;
      const code = /** @type {any} */ (error).code;
      if (code !== 'replaced' && code !== 'cancelled') setEngine({ state: 'failed', code, params: /** @type {any} */ (error).params });
    }
  }

  /** @param {string} text @param {'person' | 'host'} who */
  function setText(text, who) {
    by = who;
    if (field.value !== text) field.value = text;
    render();
    check();
  }

  /** @param {string} fen  by a button: can be taken back */
  function replace(fen) {
    former.push(field.value);
    setText(fen, 'person');
    field.focus();
  }

  /** @param {string} text */
  function announce(text) {
    clearTimeout(saying);
    saying = window.setTimeout(() => { byId('live').textContent = text; }, SAID_MS);
  }

  // — what is drawn —

  function render() {
    const answer = answerNow();
    field.setAttribute('aria-invalid', String(answer !== null && answer.fen === null && field.value.trim() !== ''));
    byId('undo').hidden = !former.length;
    drawBoard(answer);
    drawStatus();
    drawVerdict(answer);
  }

  /** @param {Explained | null} answer */
  function drawBoard(answer) {
    const board = answer?.placement ? parsePlacement(answer.placement) : null;
    const drawn = board ? { board, strange: new Map() } : sketch(field.value);
    const problems = answer?.problems ?? [];
    picture.show(drawn && { ...drawn, marks: marksOfProblems(problems), ranks: ranksOfProblems(problems) }, orientation, words);
  }

  function drawStatus() {
    const box = byId('status');
    const bar = byId('status-bar');
    box.hidden = engine.state === 'ready';
    byId('retry').hidden = engine.state !== 'failed';
    bar.hidden = engine.state !== 'loading';
    box.dataset.state = engine.state;
    if (engine.state === 'failed') {
      const { title, next } = errorWords(words, engine.code ?? 'engine-start-failed', engine.params);
      byId('status-text').textContent = [title, next, words('embed.still-works')].filter(Boolean).join(' ');
    } else {
      bar.value = loading?.share ?? 0;
      byId('status-text').textContent = loadingWords();
    }
  }

  function loadingWords() {
    if (loading?.stage !== 'download' || !loading.loaded) return words(loading ? 'embed.starting' : 'embed.loading-begins');
    return words('embed.loading', { done: words.megabytes(loading.loaded), total: words.megabytes(loading.total) });
  }

  /** @param {Explained | null} answer */
  function drawVerdict(answer) {
    const box = byId('verdict');
    const title = byId('verdict-title');
    if (!answer) {
      // While the typing goes on the former answer stays, dimmed, so that nothing jumps.
      box.dataset.state = known && !failed() ? 'former' : 'waiting';
      if (!known || failed()) {
        title.textContent = words(failed() ? 'embed.not-checked' : 'embed.waits');
        byId('findings').replaceChildren();
      }
      return;
    }
    const faults = answer.problems.filter(({ severity }) => severity === 'syntax' || severity === 'illegal').length;
    const suspects = answer.problems.filter(({ severity }) => severity === 'suspect').length;
    const blank = field.value.trim() === '';
    const verdict = faults ? 'fault' : suspects ? 'suspect' : 'sound';
    title.textContent = blank ? words('embed.blank') : words(`embed.verdict-${verdict}`, { n: faults || suspects });
    box.dataset.state = blank ? 'waiting' : verdict;
    announce(title.textContent);
    const parts = blank ? [] : [
      readAs(answer),
      answer.problems.length ? el('ul', { class: 'items' }, ...answer.problems.map(problemItem)) : null,
      fixRow(answer.fixes),
      cleanedList(answer.cleaned),
    ];
    byId('findings').replaceChildren(.../** @type {Node[]} */ (parts.filter(Boolean)));
  }

  /** What the text says, where that is not how it is written. @param {Explained} answer */
  function readAs({ fen, dialect_words: dialect }) {
    const told = dialect ? el('p', { class: 'soft', id: 'dialect' }, dialect) : null;
    if (!fen || fen === field.value) return told;
    return el('div', { class: 'read-as' }, el('p', { class: 'soft' }, words('embed.read-as')), el('p', { class: 'fen' }, fen),
      el('div', { class: 'row' }, el('button', { type: 'button', class: 'small', id: 'take', onclick: () => replace(fen) }, words('embed.take'))), told);
  }

  /** @param {Explained['problems'][number]} problem */
  function problemItem(problem) {
    const { severity, squares } = problem;
    const place = squares.length ? squares.join(', ') : problem.field ? words(`field.${problem.field}`) : '';
    const item = el('li', { class: 'item', 'data-severity': severity, 'data-code': problem.code }, icon(ICONS[severity] ?? 'info'),
      el('div', { class: 'said' },
        el('p', { class: 'kind soft' }, words(`severity.${severity}`), place ? ' · ' : '', place ? el('span', { class: squares.length ? 'fen' : '' }, place) : ''),
        el('p', { class: 'name' }, problem.title),
        problem.body ? el('p', { class: 'soft' }, problem.body) : null,
        fixRow(problem.fixes)));
    if (squares.length) {
      for (const event of ['pointerenter', 'focusin']) item.addEventListener(event, () => picture.point(squares));
      for (const event of ['pointerleave', 'focusout']) item.addEventListener(event, () => picture.point([]));
    }
    return item;
  }

  /** @param {Explained['fixes']} fixes */
  const fixRow = (fixes) => (fixes.length
    ? el('div', { class: 'row' }, ...fixes.map((fix) =>
      el('button', { type: 'button', class: 'small fix', 'data-fix': fix.code, title: fix.fen, onclick: () => replace(fix.fen) }, fix.label)))
    : null);

  /** @param {Explained['cleaned']} cleaned */
  const cleanedList = (cleaned) => (cleaned.length
    ? el('section', { class: 'cleaned' }, el('h3', {}, words('embed.cleaned')),
      el('ul', { class: 'items' }, ...cleaned.map((step) => el('li', { 'data-code': step.code }, step.label))))
    : null);

  // — what the person does —

  field.addEventListener('input', () => {
    by = 'person';
    former = [];
    render();
    clearTimeout(typing);
    asked++;
    typing = window.setTimeout(check, TYPING_MS);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    // A FEN is one line: Enter takes over how it was read.
    event.preventDefault();
    const fen = answerNow()?.fen;
    if (fen && fen !== field.value) replace(fen);
  });
  byId('undo').addEventListener('click', () => {
    setText(former.pop() ?? field.value, 'person');
    if (!former.length) field.focus();
  });
  byId('copy').addEventListener('click', async () => {
    const done = await copy(answerNow()?.fen ?? field.value, field);
    const told = byId('copy-text');
    told.textContent = words(done ? 'embed.copied' : 'embed.copy-by-hand');
    announce(told.textContent);
    setTimeout(() => { told.textContent = words('embed.copy'); }, 2500);
  });
  byId('retry').addEventListener('click', restart);

  /** @param {EngineState} next */
  function setEngine(next) {
    const before = engine.state;
    engine = next;
    if (next.state === 'loading') loading = null;
    render();
    if (next.state === 'failed') {
      announce(byId('status-text').textContent ?? '');
      onSettled(result(), by);
    } else if (before === 'failed' && !answerNow()) check();
  }

  return {
    setText: (/** @type {string} */ text) => {
      former = [];
      setText(text, 'host');
    },
    get text() {
      return field.value;
    },
    get by() {
      return by;
    },
    get orientation() {
      return orientation;
    },
    get engine() {
      return engine;
    },
    settled,
    result,
    setEngine,
    /** @param {LoadProgress} progress */
    setProgress(progress) {
      loading = progress;
      drawStatus();
    },
    /** @param {string} side */
    setOrientation(side) {
      orientation = side;
      render();
    },
    /** @param {Translate} next */
    setWords(next) {
      words = next;
      byId('copy-text').textContent = words('embed.copy');
      render();
      check();
    },
    redraw: render,
  };
}

/**
 * Copy a text; where the frame may not write to the clipboard, in the older way; where not even that, select it.
 * @param {string} text
 * @param {HTMLTextAreaElement} field
 * @returns {Promise<boolean>} false: it stands selected for the person to copy
 */
async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const written = field.value;
    field.value = text;
    field.select();
    const done = document.execCommand('copy');
    if (done) field.value = written;
    return done;
  }
}
