"""The report page in a real browser, from a file, with the network out of reach by its own policy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLE
from report_pages import IMPORT, scanned
from runs import scan

from workers.cli.main import main

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
)

pytestmark = [
    pytest.mark.skipif(not CHROMIUM.exists(), reason="needs Debian's package chromium"),
    pytest.mark.xdist_group("browser"),
]
HOSTILE = {
    "package.json": '{"name": "</script><script>document.title=1</script>"}',
    "src/a.ts": IMPORT
    + "@smrt({ tableName: '<img src=x onerror=document.title=1>' })\n"
    + "export class A extends SmrtObject {\n"
    + "  @field({ description: '</script><svg onload=document.title=1>\\u202e' }) note: string = '<b>bold</b>';\n}\n",
}


@dataclass
class Shown:
    """A page and everything that its console said."""

    page: Any
    complaints: list[str] = field(default_factory=list)

    def go(self, route: str) -> None:
        self.page.evaluate("route => { location.hash = route; }", route)

    @property
    def title(self) -> str:
        return str(self.page.locator("section:not([hidden]) > h2").inner_text())


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="needs the Python package playwright")
    profile = tmp_path_factory.mktemp("profile")
    with api.sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=CHROMIUM, headless=True, args=FLAGS.split()
        )
        yield context
        context.close()


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("market")
    scan(EXAMPLE, place / "out")
    return written(place / "out", "--root", str(EXAMPLE))


def written(out: Path, *options: str) -> Path:
    with pytest.raises(SystemExit) as exit_info:
        main(["report", str(out), "--out", str(out.parent / "page.html"), *options])
    assert exit_info.value.code == 0
    return out.parent / "page.html"


@contextmanager
def opened(browser: Any, path: Path, route: str = "", width: int = 1280) -> Iterator[Shown]:
    page = browser.new_page()
    shown = Shown(page)
    page.on("console", lambda message: shown.complaints.append(message.text))
    page.on("pageerror", lambda error: shown.complaints.append(str(error)))
    page.on(
        "request",
        lambda request: None if request.url.startswith("file:") else shown.complaints.append(request.url),
    )
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{path.as_uri()}{route}")
    yield shown
    page.close()
    assert [text for text in shown.complaints if not text.startswith("data:")] == []


def test_a_class_is_found_by_keyboard_and_its_base_by_a_link(browser, market):
    with opened(browser, market) as shown:
        page = shown.page
        page.keyboard.press("/")
        page.keyboard.type("contactles paymnt")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.locator(".detail h3", has_text="ContactlessPayment").wait_for()
        assert "CardPayment" in page.locator(".detail tbody").first.inner_text()

        page.locator(".chain a", has_text="CardPayment").click()
        page.locator(".detail h3", has_text="CardPayment").wait_for()
        assert page.evaluate("document.activeElement.textContent") == "CardPayment"


@pytest.mark.parametrize("width", [1280, 360])
def test_every_part_opens_without_complaint_and_fits_the_width(browser, market, width):
    with opened(browser, market, width=width) as shown:
        for entry in shown.page.locator("nav a").all():
            entry.click()
            name = entry.get_attribute("href").removeprefix("#")
            shown.page.wait_for_function(
                "name => document.querySelector('nav [aria-current]')?.hash === `#${name}`", arg=name
            )
            assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_theme_follows_the_system_until_one_is_chosen(browser, market):
    ground = "getComputedStyle(document.body).backgroundColor"
    with opened(browser, market) as shown:
        page = shown.page
        page.emulate_media(color_scheme="light")
        light = page.evaluate(ground)
        page.emulate_media(color_scheme="dark")
        dark = page.evaluate(ground)
        page.locator("#theme").click()

        assert light != dark
        assert page.evaluate(ground) == light


def test_the_address_of_a_class_leads_to_it(browser, market):
    with opened(browser, market, "#class/%40harbour%2Faccounting%3AInvoice") as shown:
        assert shown.page.locator(".detail h3").first.inner_text() == "Invoice"
        assert shown.page.locator(".detail .marker").first.inner_text().strip() == "^" * len("...STAFF_ONLY")


def test_a_model_in_doubt_and_open_by_default_stands_first(browser, market):
    with opened(browser, market, "#open") as shown:
        first = shown.page.locator("section:not([hidden]) tbody tr").first.inner_text()

    assert "Invoice" in first
    assert "in doubt" in first
    assert first.count("everything, by default") == 3


def test_texts_of_sources_stay_texts(browser, tmp_path):
    page = written(scanned(tmp_path, HOSTILE))
    with opened(browser, page, "#classes") as shown:
        shown.page.locator(".list a").first.click()
        shown.page.locator(".detail h3").first.wait_for()

        assert shown.page.title() == "A | Scan report"
        assert shown.page.locator("main img, main script, main b").count() == 0
        assert "<img src=x onerror=" in shown.page.locator(".detail .config").inner_text()
        assert "\\u202e" in shown.page.locator(".detail tbody").inner_text()
