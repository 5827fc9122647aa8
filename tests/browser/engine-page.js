// @ts-check
// The bare page of the engine's tests: starts it as the address says (?host=plain&mode=checker), keeps what it said.
import { startEngine } from './static/app/engine.js';

const wanted = new URLSearchParams(location.search);
const shown = /** @type {HTMLElement} */ (document.querySelector('#state'));
const page = /** @type {any} */ (window);
page.states = [];
page.loading = [];
page.engine = startEngine({
  mode: /** @type {any} */ (wanted.get('mode') ?? 'full'),
  host: /** @type {any} */ (wanted.get('host') ?? 'auto'),
  onProgress(progress) {
    page.loading.push(progress);
  },
  onState(state) {
    page.states.push(state);
    shown.dataset.state = state.state;
    shown.dataset.code = state.code ?? '';
    shown.textContent = JSON.stringify(state);
  },
});
