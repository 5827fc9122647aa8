"""The page for everyone: axe in every state, language and theme; narrow, large, forced colours."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.page_help import LANGUAGES, ROOK_ENDING, axe, give, screenshot  # isort: skip

OpenPage = Callable[..., Page]
TWO_KINGS = "4k3/8/8/8/8/4K3/8/R3K2R w KQ - 0 1"
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Words that do not fit their own box; what is meant to be cut off (names of files) is left out.
CUT_OFF = """() => [...document.querySelectorAll('button, summary, select, label, h1, h2, h3, p, .source')]
  .filter((e) => e.checkVisibility() && !e.closest('.hidden, .language, .file, .pick-work')
    && getComputedStyle(e).clipPath === 'none'
    && getComputedStyle(e).overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1)
  .map((e) => `${e.tagName} ${e.textContent.slice(0, 40)}`)"""
# Text of one thing that lies on another's.
COVERED = """() => {
  const found = [];
  const all = [...document.querySelectorAll(
    '.tools > *, .fenbar > *, .row > *, .head > *, .segments > *, .right')]
    .filter((e) => e.checkVisibility() && !e.classList.contains('hidden'));
  for (const e of all) for (const f of e.parentElement.children) {
    if (f === e || !f.checkVisibility() || f.classList.contains('hidden')) continue;
    const [a, b] = [e.getBoundingClientRect(), f.getBoundingClientRect()];
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5)
      found.push(`${e.textContent} / ${f.textContent}`);
  }
  return found;
}"""


def states(page: Page) -> dict[str, Callable[[], None]]:
    """Return the states of the page, in the order in which one leads to the next."""

    def hold() -> None:
        page.evaluate("() => { globalThis.heldRead = new Promise((go) => { globalThis.letGo = go; }); }")
        picture = {"name": "a.png", "mimeType": "image/png", "buffer": screenshot(ROOK_ENDING)}
        page.set_input_files("#file", picture)
        expect(page.locator("#status")).to_have_attribute("data-state", "busy")

    def let_go() -> None:
        page.evaluate("() => { globalThis.heldRead = undefined; globalThis.letGo(); }")
        expect(page.locator("#status")).to_have_attribute("data-state", "idle")
        expect(page.locator("#square-panel")).to_be_visible()

    def fault() -> None:
        page.locator("#fen").fill(TWO_KINGS)
        expect(page.locator("#problems")).to_have_attribute("data-state", "fault")
        page.locator(".source").first.click()
        page.locator(".whynot summary").click()

    def failed() -> None:
        picture = {"name": "a.png", "mimeType": "image/png", "buffer": b"no picture at all, only words"}
        page.set_input_files("#file", picture)
        expect(page.locator("#picture-note")).to_be_visible()

    return {
        "empty": lambda: None,
        "reading": hold,
        "read": let_go,
        "compared": lambda: page.locator("[data-action='mode-straight']").click(),
        "faulty": fault,
        "exports": lambda: page.locator("#share > summary").click(),
        "failed": failed,
        "keys": lambda: page.locator("[data-action='help']").click(),
    }


# Each language in one theme always, in the other when there is time.
ALWAYS = {("en", "light"), ("vi", "light"), ("pt-BR", "light")}
ALWAYS |= {("en", "dark"), ("el", "dark"), ("gu", "dark"), ("bn", "dark")}
LOOKS = [
    pytest.param(language, theme, marks=() if (language, theme) in ALWAYS else pytest.mark.long)
    for language in LANGUAGES
    for theme in ("light", "dark")
]


@pytest.mark.parametrize(("language", "theme"), LOOKS)
def test_no_findings_in_any_state(open_quick: OpenPage, language: str, theme: str) -> None:
    """Desktop in light, phone in dark."""
    wide = {"width": 1280, "height": 900} if theme == "light" else {"width": 360, "height": 740}
    page = open_quick(f"?lang={language}", viewport=wide, color_scheme=theme)
    for name, reach in states(page).items():
        reach()
        assert axe(page) == [], name
        assert page.evaluate(SIDEWAYS) <= 0, name
        assert page.evaluate(CUT_OFF) == [], name
        assert page.evaluate(COVERED) == [], name


@pytest.mark.parametrize("width", [320, 390, 768, 1000, 2560])
def test_every_width_holds_every_language(open_quick: OpenPage, width: int) -> None:
    page = open_quick(viewport={"width": width, "height": 800})
    give(page, screenshot("r3k2r/8/8/8/8/8/8/4K2R"))
    for language in LANGUAGES:
        page.locator("#language").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert page.evaluate(SIDEWAYS) <= 0, language
        assert page.evaluate(CUT_OFF) == [], language
        assert page.evaluate(COVERED) == [], language


def test_twice_as_large_text(open_quick: OpenPage) -> None:
    """200 % zoom of a small window, and 200 % text, in the language with the longest words."""
    page = open_quick("?lang=el", viewport={"width": 640, "height": 800})
    give(page, screenshot(ROOK_ENDING))
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate(COVERED) == []


def test_forced_colours_keep_what_is_chosen_apart(open_quick: OpenPage) -> None:
    page = open_quick(forced_colors="active", color_scheme="dark")
    page.get_by_role("button", name="white queen", exact=True).click()
    chosen = page.locator("[data-tool='Q']")
    assert chosen.evaluate("(e) => getComputedStyle(e).outlineStyle") == "solid"
    assert (
        page.locator(".segments input:checked + span").first.evaluate(
            "(e) => getComputedStyle(e).outlineStyle"
        )
        == "solid"
    )
    give(page, screenshot(ROOK_ENDING))
    handle = page.locator(".handle").first
    assert handle.evaluate("(e) => getComputedStyle(e, '::before').borderTopStyle") == "solid"
    # the board keeps its squares apart, and black men do not lie on black
    squares = page.evaluate(
        """() => { const grid = document.querySelector('#board-grid');
          const ctx = document.querySelector('#board-canvas').getContext('2d');
          const at = (k) => [...ctx.getImageData(grid.offsetLeft + (k + 0.1) * grid.offsetWidth / 8,
            grid.offsetTop + 3.1 * grid.offsetHeight / 8, 1, 1).data].join();
          return [at(2), at(5)]; }"""
    )
    assert squares[0] != squares[1]
    ground = page.locator("[data-tool='k'] img").evaluate("(e) => getComputedStyle(e).backgroundColor")
    assert ground not in ("rgb(0, 0, 0)", "rgba(0, 0, 0, 0)")
    # the colours of words are the system's own, which axe does not know
    assert axe(page, without=("color-contrast",)) == []


def test_no_motion_for_who_wants_none(open_quick: OpenPage) -> None:
    page = open_quick(reduced_motion="reduce")
    moving = page.evaluate(
        """() => [...document.querySelectorAll('*')].filter((e) => {
          const s = getComputedStyle(e);
          const all = `${s.transitionDuration},${s.animationDuration}`;
          return all.split(',').some((x) => parseFloat(x) > 0);
        }).length"""
    )
    assert moving == 0


def test_language_is_a_sign_on_a_phone_and_still_a_list(open_quick: OpenPage) -> None:
    page = open_quick("?lang=pt-BR", viewport={"width": 320, "height": 640})
    picker = page.get_by_role("combobox", name="Idioma")
    box = page.locator(".language").bounding_box()
    assert box
    assert box["width"] >= 40
    assert box["x"] + box["width"] <= 320
    picker.select_option("vi")
    expect(page.locator("html")).to_have_attribute("lang", "vi")


def test_only_the_chosen_language_is_loaded(open_quick: OpenPage) -> None:
    page = open_quick("?lang=gu")
    loaded = page.evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
    assert [name.rsplit("/", 1)[1] for name in loaded if "/i18n/" in name] == ["gu.json"]
