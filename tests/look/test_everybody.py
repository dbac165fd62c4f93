"""The lesson for everybody: any language, any width, keyboard alone, by ear, with any colours."""

import numpy as np
import pytest
from reading import rows, status

from regard.trace import packed

pytestmark = pytest.mark.slow

PARTS = range(1, 9)
FOCUSABLE = "a[href], button, input, summary, [tabindex='0']"


def to_part(page, part: int) -> None:
    page.locator(".contents a").nth(part - 1).click()
    page.wait_for_selector(f".contents li:nth-child({part}) a[aria-current]")


@pytest.mark.parametrize(
    ("language", "width", "colours"),
    [("en", 1280, "light"), ("th", 360, "dark"), ("pl", 360, "light"), ("he", 1280, "dark")],
)
def test_nothing_keeps_people_out(open_page, faults, language, width, colours):
    page = open_page(f"lang={language}", width=width)
    page.emulate_media(color_scheme=colours)
    for part in PARTS:
        to_part(page, part)
        page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
        assert faults(page) == [], (language, part)


@pytest.mark.parametrize("language", ["en", "th", "pl", "he"])
def test_it_fits_a_telephone(open_page, language):
    page = open_page(f"lang={language}", width=360)
    for part in PARTS:
        to_part(page, part)
        assert page.evaluate("document.documentElement.scrollWidth") == 360, part


def test_the_keyboard_alone_reaches_everything(open_page):
    page = open_page("lang=en")
    for part in PARTS:
        to_part(page, part)
        left = page.evaluate(
            """selector => {
                const seen = node => node.checkVisibility() && !node.disabled;
                const group = node => node.type === "radio" ? node.name : node;
                window.left = new Set([...document.querySelectorAll(selector)]
                    .filter(seen).map(group));
                document.addEventListener("focusin", event =>
                    window.left.delete(group(event.target)));
                document.activeElement.blur();
                return window.left.size;
            }""",
            FOCUSABLE,
        )
        for _ in range(left + 5):
            page.keyboard.press("Tab")
        assert page.evaluate("[...window.left].map(node => node.outerHTML ?? node)") == []


def test_a_table_stands_behind_every_picture(open_page):
    page = open_page("lang=en")
    for part in PARTS:
        to_part(page, part)
        without = page.locator("section.figure").evaluate_all(
            """figures => figures.filter(figure => figure.querySelector(
                "svg[role=img], canvas, .lines, .bars, .walk, .map"
            ) && !figure.querySelector("table caption")).map(figure => figure.id)"""
        )
        assert without == [], part


def test_one_line_says_what_changed(open_page):
    page = open_page("lang=en&part=4")
    said = page.get_by_role("status")
    assert said.count() == 1
    assert said.inner_text() == ""
    page.get_by_role("button", name="rug").click()
    said.filter(has_text="rug").wait_for(state="attached")
    assert said.inner_text() == ('query = "rug" | strongest = "rug" (30%) | example numbers')


def test_the_language_stands_in_the_address(open_page):
    page = open_page("lang=en&part=4")
    page.get_by_label("עברית").check()
    assert "lang=he" in page.url
    assert "part=4" in page.url
    assert page.locator("html").get_attribute("lang") == "he"
    assert page.locator("html").get_attribute("dir") == "rtl"
    page.locator(".asking button").first.focus()
    page.keyboard.press("ArrowLeft")  # onwards, where one reads from the right
    page.keyboard.press("Enter")
    assert page.locator(".asking button").nth(1).get_attribute("aria-pressed") == "true"
    page.reload()
    page.wait_for_selector("html[lang=he] h1")
    page.get_by_label("ไทย").check()
    assert page.locator("html").get_attribute("dir") == "ltr"


def test_without_one_in_the_address_it_is_the_browsers(browser, tmp_path):
    from regard.look.page import page as page_of

    file = tmp_path / "lesson.html"
    file.write_text(page_of(), encoding="utf-8")
    for locale, language in (("pl-PL", "pl"), ("fr-FR", "en")):
        window = browser.new_context(locale=locale, offline=True)
        page = window.new_page()
        page.goto(file.as_uri())
        page.wait_for_selector(f"html[lang={language}] h1")
        window.close()


def test_back_leads_to_the_part_before(open_page):
    page = open_page("lang=en&part=2")
    page.locator("[rel=next]").click()
    page.wait_for_selector("#chain")
    assert page.evaluate("document.activeElement.tagName") == "H1"
    page.go_back()
    page.wait_for_selector("#mixture")


def test_a_number_of_the_paper_leads_to_its_table(open_page):
    page = open_page("lang=he&part=6")
    page.get_by_role("link", name="טבלה 3").first.click()
    page.wait_for_selector("#table3:focus")
    assert page.locator("#table3").bounding_box()["y"] < 100
    page = open_page("lang=en&part=2")
    page.get_by_role("link", name="§3.2.1").first.click()
    page.wait_for_selector("#sources:focus")


def test_the_map_leads_to_its_parts(open_page):
    page = open_page("lang=en&part=6")
    page.locator("[data-stop=encoder-position]").click()
    page.locator(".stop-text a").click()
    page.wait_for_selector("#positions:focus")
    page.locator("[data-stop=decoder-masked]").click()
    page.locator(".stop-text a").click()
    page.wait_for_selector("#divide:focus")


def test_in_a_frame_without_an_address_it_is_walked_through_as_well(visit, tmp_path):
    from html import escape

    from regard.look.page import page as page_of

    file = tmp_path / "notebook.html"
    frame = f'<iframe srcdoc="{escape(page_of())}" width=900 height=900></iframe>'
    file.write_text(f"<!doctype html><main><h1>a notebook</h1>{frame}</main>", encoding="utf-8")
    frame = visit(file).frame_locator("iframe")
    frame.locator(".contents a").nth(3).click()
    frame.locator("#asking").wait_for()


def test_motion_and_colours_are_the_readers(open_page):
    page = open_page("lang=en&part=4")
    line = page.locator("path.line").first
    page.emulate_media(reduced_motion="reduce")
    assert line.evaluate("line => getComputedStyle(line).transitionDuration") == "0s"
    page.emulate_media(forced_colors="active")
    backgrounds = page.locator(".asking button").evaluate_all(
        "buttons => buttons.map(button => getComputedStyle(button).backgroundColor)"
    )
    assert len(set(backgrounds)) == 2, "the word that asks must still be told from the others"


# The switch: toy numbers | your model


@pytest.fixture(scope="module")
def trace():
    from some_trace import some_trace

    return some_trace()


@pytest.fixture
def with_model(open_page, trace):
    def opened(part: int):
        page = open_page(
            f"lang=en&view=lesson&part={part}", data={"live": None, "traces": [packed(trace)]}
        )
        page.get_by_label("your model", exact=True).first.check()
        return page

    return opened


def weights(trace, kind: str, layer: int) -> np.ndarray:
    [found] = [at for at in trace.attentions if (at.kind, at.layer) == (kind, layer)]
    return found.weights


def test_lines_of_the_readers_own_model(with_model, trace):
    page = with_model(4)
    for name in ("Layer", "Head"):
        page.locator("#asking").get_by_label(name, exact=True).focus()
        page.keyboard.press("ArrowRight")
    shown = [[int(cell.rstrip("%")) for cell in row[1:]] for row in rows(page, "#asking")]
    np.testing.assert_allclose(np.array(shown) / 100, weights(trace, "encoder", 1)[1], atol=0.0051)
    assert "your model" in page.locator("#asking .label").inner_text()
    page.get_by_label("toy numbers").first.check()
    assert page.locator("#asking .label").inner_text() == "example numbers"


def test_temperature_mask_and_values_of_the_readers_own_model(with_model, trace):
    page = with_model(5)
    page.locator("#divide .tokens button").nth(2).click()
    page.get_by_label("Temperature T", exact=True).first.focus()
    page.keyboard.press("End")
    for panel, kind in (("encoder", "encoder"), ("decoder", "decoder")):
        [attended] = [at for at in trace.attentions if (at.kind, at.layer) == (kind, 0)]
        allowed = attended.allowed[0, 2] if attended.allowed.ndim == 3 else attended.allowed[2]
        powers = np.where(allowed, np.exp(attended.scores[0, 2] / 3), 0)
        found = [float(row[2]) for row in rows(page, f"[data-panel={panel}]")]
        np.testing.assert_allclose(found, powers / powers.sum(), atol=3e-4)
        if panel == "encoder":
            mixed = (powers / powers.sum()) @ attended.values[0]
    assert f"length of the sum = {np.linalg.norm(mixed):.2f}" in (status(page, "sum"))


def test_heads_of_the_readers_own_model(with_model, trace):
    page = with_model(6)
    assert page.locator("#heads canvas").count() == 3
    for head in range(3):
        shown = rows(page, f"#heads .one:nth-child({head + 1})")
        found = [[int(cell.rstrip("%")) for cell in row[1:]] for row in shown]
        np.testing.assert_allclose(
            np.array(found) / 100, weights(trace, "encoder", 0)[head], atol=0.0051
        )
