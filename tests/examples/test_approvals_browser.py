"""The approvals example in Chromium, as people use it: by mouse, by keyboard alone, and without JavaScript."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from harness import requires
from lauren_runtime import Approvals, SQLiteApprovalStore, Table

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Chromium without JavaScript, which the page must not need; Debian's chromium and chromium-driver."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        requires.missing("`chromium` and `chromedriver` are not installed (Debian: chromium, chromium-driver)")
    webdriver = requires.package("selenium.webdriver", "selenium")
    service = requires.package("selenium.webdriver.chrome.service", "selenium").Service(driver)
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    profile = tmp_path_factory.mktemp("profile")
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    made = webdriver.Chrome(options=options, service=service)
    made.set_window_size(400, 900)  # as narrow as a telephone
    yield made
    made.quit()


@pytest.fixture
def approvals(table: Table, tmp_path: Path) -> Iterator[Approvals]:
    with SQLiteApprovalStore(tmp_path / "approvals.db", poll=0.05) as store:
        yield Approvals(store, table=table, time_limit=None)


@pytest.fixture
def url(approvals: Approvals, table: Table) -> Iterator[str]:
    """Where the application is served, by uvicorn in a thread."""
    import uvicorn
    from approvals.app import create_app
    from approvals.clerk import Clerk

    with socket.create_server(("127.0.0.1", 0)) as listener:
        app = create_app(approvals, Clerk(approvals, table), lambda _: "ann")
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join()


class Page:
    """What a person does with the page."""

    def __init__(self, browser: Any, url: str) -> None:
        self.browser = browser
        self.url = url
        browser.get(url)

    def all(self, css: str) -> list[Any]:
        found: list[Any] = self.browser.find_elements("css selector", css)
        return found

    def one(self, css: str) -> Any:
        return self.browser.find_element("css selector", css)

    def coming(self, css: str) -> Any:
        """The element, once the page that has it is there."""
        end = time.monotonic() + 30
        while not (found := self.all(css)):
            assert time.monotonic() < end, self.text()
            time.sleep(0.05)
        return found[0]

    def begin(self, subject: str) -> None:
        for name, value in (("to", "ann@example.org"), ("subject", subject), ("body", "It is on its way.")):
            self.one(f"#{name}").send_keys(value)
        self.one("form[action='/runs'] button").click()
        self.see("Waiting (1)")

    def see(self, text: str) -> None:
        """Reload until the text is there."""
        end = time.monotonic() + 30
        while text not in (seen := self.text()):
            assert time.monotonic() < end, seen
            time.sleep(0.05)
            self.browser.get(self.url)

    def text(self) -> str:
        """What the page says; nothing while it gives way to the next."""
        stale = requires.package("selenium.common.exceptions", "selenium").StaleElementReferenceException
        try:
            return str(self.one("body").text)
        except stale:
            return ""


def test_approving_by_mouse(browser: Any, url: str, outbox: list[dict[str, str]]) -> None:
    page = Page(browser, url)
    assert browser.title == "0 waiting - Approvals"
    page.begin("Your lamp")
    assert '"subject": "Your lamp"' in page.one("article textarea").get_attribute("value")
    page.one("button[value=approved]").click()
    page.see("send_email (executed)")
    assert outbox == [{"to": "ann@example.org", "subject": "Your lamp", "body": "It is on its way."}]


def test_rejecting_by_keyboard_alone(browser: Any, url: str, approvals: Approvals) -> None:
    keys = requires.package("selenium.webdriver.common.keys", "selenium").Keys
    page = Page(browser, url)
    page.begin("Your lamp")
    page.one("body").send_keys(keys.TAB)
    for _ in range(10):
        focused = browser.switch_to.active_element
        if focused.get_attribute("name") == "reason":
            break
        focused.send_keys(keys.TAB)
    focused.send_keys("Not today", keys.TAB, keys.TAB)
    rejecting = browser.switch_to.active_element
    assert rejecting.text == "Reject"
    assert rejecting.value_of_css_property("outline-style") == "solid"
    rejecting.send_keys(keys.ENTER)
    page.see("denied permission to run 'send_email': Not today")
    [record] = approvals.store.records(closed=True)
    assert record.decision is not None
    assert (record.decision.by, record.decision.reason) == ("ann", "Not today")


def test_an_edit_that_does_not_fit_and_one_that_does(browser: Any, url: str, outbox: list[dict[str, str]]) -> None:
    page = Page(browser, url)
    page.begin("Your lamp")
    for text in ('{"to": 5}', '{"to": "bob@example.org", "subject": "Two lamps", "body": "b"}'):
        page.one("article textarea").clear()
        page.one("article textarea").send_keys(text)
        page.one("button[value=approved]").click()
        if "5" in text:
            assert "to: expected a string, got 5" in page.coming("[role=alert]").text
            assert page.one("article textarea").get_attribute("value") == text
            assert outbox == []
    page.see("approved, edited")
    assert outbox == [{"to": "bob@example.org", "subject": "Two lamps", "body": "b"}]


def test_what_an_agent_writes_is_text(browser: Any, url: str) -> None:
    page = Page(browser, url)
    page.begin("</textarea><img src=x onerror=alert(1)>")
    assert page.all("article img") == []
    assert "</textarea><img" in page.one("article textarea").get_attribute("value")
    page.one("button[value=rejected]").click()
    assert page.all("img") == []


def test_everybody_can_use_it(browser: Any, url: str) -> None:
    page = Page(browser, url)
    page.begin("Your lamp")
    assert page.one("html").get_attribute("lang") == "en"
    for control in page.all("input:not([type=hidden]), textarea, button"):
        assert control.accessible_name, control.get_attribute("outerHTML")
    levels = [int(each.tag_name[1]) for each in page.all("h1, h2, h3")]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    width = page.one("body").size["width"]
    assert all(each.rect["x"] + each.rect["width"] <= width + 40 for each in page.all("article, form, button"))
    for button in page.all("button"):
        assert button.rect["height"] >= 44, "large enough for a thumb"
        assert contrast(button) >= 4.5
    page.one("button[value=rejected]").click()


def contrast(element: Any) -> float:
    """WCAG's contrast of an element's text and ground."""
    light, dark = sorted((luminance(element, name) for name in ("color", "background-color")), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(element: Any, name: str) -> float:
    """WCAG's relative luminance of a colour."""
    text = element.value_of_css_property(name)
    parts = [int(part) / 255 for part in text[text.index("(") + 1 : -1].split(",")[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
