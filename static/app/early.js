// @ts-check
/**
 * The page's language, chosen, and its words asked for, as soon as the browser has read the page's head.
 *
 * Where it stands: a script of its own beside main.js, with few imports, so that it runs long before the page's many
 * modules have come; main.js imports it too. Python is not begun here: its start would hold the page up.
 */
import { readFragment } from '../embed/protocol.js';
import { chooseLanguage, loadLanguage } from './i18n.js';

/** The language of the page: of its address, then of the person's browser. */
export const language = chooseLanguage(
  new URL(location.href).searchParams.get('lang') ?? readFragment(location.hash).lang ?? null,
  navigator.languages,
);
// Asked for now, remembered for main.js.
loadLanguage(language);
