"""An author writes a bot in the studio, runs it, finds the line with the error, fixes it and submits the bot."""

from __future__ import annotations

import io
import re
from base64 import b64encode
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from bots.reversi.sdk.board import Board
from tests.browser.audit import PHONE
from tests.browser.editor import replace_source
from tests.running_site import eventually
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

BOTS = Path(__file__).parents[1] / "stack" / "bots"


def left_edge(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["x"]


def top_edge(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["y"]


def run_series(page: Page) -> None:
    place = left_edge(page.get_by_role("button", name="Run", exact=True))
    page.get_by_role("button", name="Run 20", exact=True).click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    assert left_edge(page.get_by_role("button", name="Run", exact=True)) == place, (
        "a second click meets the same button"
    )
    expect(page.locator("[data-part=score-text]")).to_contain_text("20 of 20 played")
    expect(page.locator("[data-part=score-interval]")).to_contain_text("95 % CI")
    read = "async () => (await fetch(document.querySelector('[data-run-board]').dataset.snapshotUrl)).json()"
    names = [seat["name"] for seat in page.evaluate(read)["seats"]]
    expect(page.locator(".player .identity__name")).to_have_text(names)  # players swap seats between matches


def test_opponent_keeps_its_name_on_a_phone_during_a_run(author: Visitor) -> None:
    page = author.page
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto("/studio/new/reversi/")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("import time\ntime.sleep(1)\n")  # otherwise the matches can end before Stop is clicked
    series = page.get_by_role("button", name="Run 20", exact=True)
    place = "button => [button.getBoundingClientRect().x, button.getBoundingClientRect().y + scrollY]"
    before = series.evaluate(place)
    series.click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    assert series.evaluate(place) == pytest.approx(before), "the buttons stay in place"
    picked = page.locator("[data-part=picked]")
    assert picked.evaluate("name => name.scrollWidth - name.clientWidth") == 0
    bottom = page.locator(".bottom-nav").bounding_box()
    controls = page.locator(".studio-run .replay-controls").bounding_box()
    assert bottom is not None
    assert controls is not None
    assert controls["y"] + controls["height"] <= bottom["y"] + 1
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_hidden()


def test_changing_a_game_setting_keeps_one_picture_for_each_opponent(author: Visitor) -> None:
    page = author.page
    page.goto("/studio/new/fib2584/")
    expect(page.locator(".cm-content")).to_be_visible()
    chosen = page.locator("[data-part=opponents] input:checked").count()
    games = page.locator("[name=game-games]")
    games.evaluate("input => { input.value = 7; input.dispatchEvent(new Event('change', { bubbles: true })); }")
    expect(page.locator("[data-part=picked] .avatar")).to_have_count(chosen)


def test_search_completion_and_linting_load_when_the_editor_is_focused(author: Visitor) -> None:
    page = author.page
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto("/studio/new/reversi/")
    margin = page.locator(".cm-gutters")
    expect(margin).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert not [url for url in requested if re.search("/chunks/editor-extras|/lint/|/completions/", url)]
    place = margin.bounding_box()
    with (
        page.expect_response("**/chunks/editor-extras*"),
        page.expect_response("**/lint/"),
        page.expect_response("**/completions/reversi.json"),
    ):
        page.locator(".cm-content").click()
    page.keyboard.press("Control+f")
    expect(page.locator(".cm-search")).to_be_visible()
    assert margin.bounding_box() == place, "the text stays in place"


def test_typing_replaces_a_selection(author: Visitor) -> None:
    page = author.page
    page.goto("/studio/new/reversi/")
    editor = page.locator(".cm-content")
    with page.expect_response("**/lint/"):  # sent by what also closes brackets, which is loaded on focus
        editor.click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("first = 1\nsecond = [2]\n")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowUp")  # a selection across several colours
    page.keyboard.type("(")
    expect(editor.locator(".cm-line").first).to_have_text("(first = 1")  # brackets still close around a selection
    page.keyboard.press("Control+z")
    page.keyboard.type("x")
    expect(editor.locator(".cm-line").first).to_contain_text("x")
    expect(editor).not_to_contain_text("second")


def test_archive_opens_as_tabs(author: Visitor) -> None:
    page = author.page
    page.goto("/studio/new/suit_pairs/")
    with ZipFile(packed := io.BytesIO(), "w") as archive:
        archive.writestr("bot/main.py", "ANSWER = 42\n")
        archive.writestr("bot/tables.py", "X = 1\n")
    files = page.evaluate_handle(
        "text => { const all = new DataTransfer(); const bytes = Uint8Array.from(atob(text), one => one.charCodeAt(0));"
        " all.items.add(new File([bytes], 'bot.zip')); return all }",
        b64encode(packed.getvalue()).decode(),
    )
    page.locator(".studio__board").dispatch_event("drop", {"dataTransfer": files})
    expect(page.get_by_role("tab")).to_have_text(["main.py", "tables.py"])
    expect(page.locator(".cm-content")).to_contain_text("ANSWER = 42")


def test_starter_is_fixed_and_submitted_as_a_playing_version(author: Visitor) -> None:
    page = author.page
    page.goto("/studio/new/reversi/")
    editor = page.locator(".cm-content")
    editor.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\n\n\ndef broken(board):\nboard.get_le")
    expect(page.locator(".cm-tooltip-autocomplete")).to_contain_text("get_legal_actions")
    documentation = (Board.get_legal_actions.__doc__ or "").splitlines()[0]
    expect(page.locator(".cm-completionInfo")).to_contain_text(documentation)
    # The completion list ignores keys in its first 75 ms, which would be typed as text; clicks work immediately.
    page.get_by_role("option", selected=True).click()
    page.keyboard.type("(1)\n")
    page.keyboard.press("Shift+Tab")
    page.keyboard.type("bord")
    expect(page.locator(".cm-lintRange-error")).to_have_text("bord")
    expect(page.get_by_text("Draft saved")).to_be_visible()
    page.reload()
    editor.click()
    page.keyboard.press("Control+End")  # the editor does not render lines outside the viewport
    expect(editor).to_contain_text("def broken(board)")

    page.get_by_role("button", name="Add a file").click()
    page.locator("#studio-file-name").fill("main.py")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(editor).to_contain_text("def broken(board)")  # entering an existing name opens that file
    files = page.evaluate_handle(
        "() => { const all = new DataTransfer(); for (const name of ['one.py', 'two.py'])"
        " all.items.add(new File(['X = 1\\n'], name)); return all }"
    )
    page.locator(".studio__code").dispatch_event("drop", {"dataTransfer": files})
    expect(page.get_by_role("tab")).to_have_text(["main.py", "one.py", "two.py"])
    page.get_by_role("tab", name="main.py").click()

    page.get_by_role("button", name="Run", exact=True).click()
    fault = page.locator("[data-fault]")
    expect(fault).to_contain_text("bord")
    expect(page.locator(".cm-fault")).to_contain_text("bord")
    expect(fault).to_be_in_viewport()
    editor.click()
    page.keyboard.press("Control+End")
    for _ in range(3):
        page.keyboard.press("Control+Shift+k")

    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".studio-run__result")).to_contain_text(re.compile("Your bot (won|lost|drew)|draw"))
    expect(fault).to_have_count(0)
    expect(page.locator(".studio__lines")).to_contain_text("legal:")
    printed = page.locator(".studio__lines li", has_text="legal:").first
    assert left_edge(printed.locator("pre")) > left_edge(printed.locator("button")), (
        "printed lines are shown beside their move"
    )
    run_series(page)

    page.get_by_role("button", name="Submit", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("From the studio")
    dialog.get_by_role("button", name="Submit").click()
    page.wait_for_url(re.compile(r"/bots/\d+/studio/\?submission=\d+"))
    expect_room_for_board_after_check(page)
    choose_unsuitable_upload(page)


def expect_room_for_board_after_check(page: Page) -> None:
    expect(page.locator(".studio-check summary")).to_contain_text("Passed")
    expect(page.locator("[data-check]")).to_be_hidden()
    expect(page.locator(".studio-run [data-part=display]")).to_be_in_viewport(ratio=1)


def choose_unsuitable_upload(page: Page) -> None:
    """Choose a CSV file for the upload, and wait for the drop zone to refuse it."""
    page.get_by_text("Upload files").click()
    table: FilePayload = {"name": "table.csv", "mimeType": "text/csv", "buffer": b"1"}
    page.locator("[data-dropzone] input[type=file]").set_input_files([table])
    expect(page.locator("[data-dropzone] [data-part=problem]")).not_to_be_empty()


def upload_working_bot(author: Visitor) -> str:
    """Upload a bot, wait until its check has passed, and return the path of its studio."""
    author.upload_new_bot("Reversi", "Steady", BOTS / "steady.py")
    expect(author.page.locator("[data-check]")).to_have_attribute("data-status", "passed")
    return f"{author.page.get_by_role('link', name='Steady').first.get_attribute('href')}studio/"


def test_failing_upload_opens_the_studio_at_its_line(author: Visitor, tmp_path: Path) -> None:
    page = author.page
    broken = tmp_path / "main.py"
    broken.write_text(f"{(BOTS / 'steady.py').read_text()}\nraise ValueError('on purpose')\n")
    report = author.upload_new_bot("Reversi", "Broken", broken)
    fault = page.locator(".cm-fault")
    expect(fault).to_contain_text("on purpose")
    expect(fault).to_be_in_viewport()
    expect(page.locator("[data-fault]")).to_be_in_viewport(ratio=1)
    expect(page.locator("[data-check]")).to_be_hidden()
    expect(page.locator(".studio__empty")).to_be_in_viewport(ratio=1)
    page.locator(".studio-check summary").click()
    page.get_by_role("link", name="Full report").click()
    page.wait_for_url(f"**{report}")


def test_link_to_a_failed_check_shows_the_failure_on_a_phone_although_the_draft_was_fixed(
    author: Visitor, tmp_path: Path
) -> None:
    page = author.page
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    broken = tmp_path / "main.py"
    broken.write_text("raise ValueError('on purpose')\n")
    author.upload_new_bot("Reversi", "Fixed", broken)
    fault = page.locator(".cm-fault")
    expect(fault).to_be_in_viewport()
    replace_source(page, (BOTS / "steady.py").read_text())
    expect(page.locator("[data-part=saved]")).to_have_attribute("data-state", "saved")
    page.reload()
    expect(page.locator("[data-fault]")).to_be_in_viewport()
    expect(fault).to_have_count(0)


LONG_LINE = f"        return board.get_legal_actions  # {'wide ' * 60}\n"
FAILS = f"""class AIPlayer:
    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        bord.get_legal_actions  # undefined
{LONG_LINE}"""


def test_failure_of_an_earlier_draft_is_labelled_and_marks_no_line(author: Visitor) -> None:
    page = author.page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/studio/new/reversi/")
    replace_source(page, FAILS)
    page.get_by_role("button", name="Run", exact=True).click()
    mark, card, label = page.locator(".cm-fault"), page.locator("[data-fault]"), page.locator("[data-part=run-origin]")
    current, stale = (label.locator(f"[data-when={when}]") for when in ("current", "stale"))
    expect(mark).to_contain_text("bord")
    expect(current).to_be_visible()
    expect(stale).to_be_hidden()
    expect(label.locator("time")).to_be_visible()
    expect(card.locator("[data-when=stale]")).to_be_hidden()
    page.locator("[data-go-line]").click()  # on a phone, shows the editor instead of the board
    for width, height in (PHONE, (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        expect_within_editor(page, mark)

    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("# fixed")
    expect(page.locator("[data-part=saved]")).to_have_attribute("data-state", "saved")
    for _ in range(2):
        expect(stale).to_be_visible()
        expect(current).to_be_hidden()
        expect(card.locator("[data-when=stale]")).to_be_visible()
        page.reload()
    expect(mark).to_have_count(0)
    replace_source(page, FAILS)
    expect(current).to_be_visible()
    expect(stale).to_be_hidden()
    expect(mark).to_contain_text("bord")
    expect(page.locator("[data-part=saved]")).to_have_attribute("data-state", "saved")
    page.reload()
    expect(mark).to_contain_text("bord")
    page.get_by_role("button", name="Add a file").click()
    page.locator("#studio-file-name").fill("brain.py")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(stale).to_be_visible()  # the failure may be due to another file
    expect(page.locator("[data-part=saved]")).to_have_attribute("data-state", "saved")
    page.reload()
    expect(stale).to_be_visible()
    expect(mark).to_have_count(0)


def expect_within_editor(page: Page, message: Locator) -> None:
    """Expect a message, whose text wraps, between the edges of an editor that has a wider line."""
    assert page.locator(".cm-scroller").evaluate("editor => editor.scrollWidth > editor.clientWidth")
    expect(message).to_be_in_viewport(ratio=1)  # after the editor has adapted to the screen
    assert message.evaluate("message => message.scrollWidth <= message.clientWidth")
    last = page.locator(".cm-line").last
    numbers = page.locator(".cm-lineNumbers .cm-gutterElement")
    expect(numbers.last).to_have_text(str(len(page.locator(".cm-line").all())))
    # The numbers follow in the frame after that in which the message wraps.
    eventually(lambda: abs(top_edge(numbers.last) - top_edge(last)) <= 2, "the numbers to be beside their lines")


def test_run_that_is_lost_shows_the_failing_line_without_taking_the_focus(author: Visitor) -> None:
    page = author.page
    page.goto("/studio/new/reversi/")
    replace_source(page, FAILS + "X = 1\n" * 200)
    page.get_by_role("button", name="Add a file").click()
    page.locator("#studio-file-name").fill("tables.py")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("tab", name="tables.py", selected=True)).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".cm-fault")).to_be_in_viewport()
    expect(page.get_by_role("tab", name="main.py", selected=True)).to_be_visible()
    expect(page.locator(".cm-content")).not_to_be_focused()


def test_failure_of_a_run_that_the_check_finds_again_has_one_card(author: Visitor) -> None:
    page = author.page
    page.goto("/studio/new/reversi/")
    replace_source(page, FAILS)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("[data-part=faults] [data-fault]")).to_be_visible()
    page.get_by_role("button", name="Submit", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Failing twice")
    dialog.get_by_role("button", name="Submit").click()
    expect(page.locator("[data-part=check-faults] [data-fault]")).to_be_visible()
    expect(page.locator("[data-fault]")).to_have_count(1)


def test_submission_keeps_the_open_file(author: Visitor) -> None:
    page = author.page
    page.goto("/studio/new/reversi/")
    page.get_by_role("button", name="Add a file").click()
    page.locator("#studio-file-name").fill("tables.py")
    page.get_by_role("button", name="Add", exact=True).click()
    replace_source(page, "X = 1\n")
    page.get_by_role("button", name="Submit", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("With tables")
    dialog.get_by_role("button", name="Submit").click()
    page.wait_for_url(re.compile(r"/studio/\?submission="))
    expect(page.get_by_role("tab", name="tables.py", selected=True)).to_be_visible()
    expect(page.locator(".cm-content")).to_contain_text("X = 1")


def test_studio_opens_at_a_failing_line_without_scrolling_a_phone(author: Visitor, tmp_path: Path) -> None:
    page = author.page
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    broken = tmp_path / "main.py"
    broken.write_text("X = 1\n" * 200 + FAILS)
    author.upload_new_bot("Reversi", "Broken", broken)
    expect(page.locator(".cm-fault")).to_be_in_viewport()
    page.reload()
    expect(page.locator(".cm-fault")).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0


# Replaces the check's failures with the same ones as the server renders them, as at the end of a check.
_RENDER_AGAIN = """cards => {
    const again = cards.cloneNode(true);
    for (const one of again.querySelectorAll('[data-stale]')) one.removeAttribute('data-stale');
    cards.replaceChildren(...again.childNodes);
}"""


def test_restoring_a_failed_version_shows_its_failing_line(author: Visitor) -> None:
    page = author.page
    page.goto(upload_working_bot(author))
    page.get_by_text("Upload files").click()
    broken = f"{(BOTS / 'steady.py').read_text()}\nraise ValueError('on purpose')\n"
    file: FilePayload = {"name": "main.py", "mimeType": "text/x-python", "buffer": broken.encode()}
    page.locator("[data-dropzone] input[type=file]").set_input_files([file])
    page.get_by_role("button", name="Upload and check").click()
    page.wait_for_url(re.compile(r"submission=\d+"))
    note, fault = page.locator("[data-part=other-version]"), page.locator(".cm-fault")
    expect(fault).to_contain_text("on purpose")
    expect(note).to_be_hidden()

    page.locator("[data-restore][data-version='1']").click()
    expect(page.locator("[data-part=saved]")).to_have_attribute("data-state", "restored")
    expect(note).to_be_visible()
    page.locator("[data-part=check-faults]").evaluate(_RENDER_AGAIN)
    expect(note).to_be_visible()
    page.reload()
    expect(note).to_be_visible()
    expect(fault).to_have_count(0)
    note.get_by_role("button").click()
    expect(fault).to_contain_text("on purpose")
    expect(note).to_be_hidden()


def test_identical_files_are_said_to_be_a_version_already(author: Visitor) -> None:
    page = author.page
    page.goto(upload_working_bot(author))
    page.get_by_role("button", name="Submit", exact=True).click()
    notice = page.locator("[data-part=notice]")
    expect(notice).to_have_attribute("data-state", "same_content")
    expect(notice).to_be_visible()
    expect(notice).not_to_have_class(re.compile(r"\berror\b"))
    expect(page.locator("[data-part=saved]")).to_have_attribute("data-state", "same_content")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("# more")
    expect(page.locator("[data-part=saved]")).to_have_attribute("data-state", "saved")


def test_opponents_in_the_scrimmage_form_do_not_overlap(author: Visitor) -> None:
    upload_working_bot(author)
    page = author.page
    page.goto("/scrimmages/new/?game=reversi")
    rows = page.locator(".opponents__bot")
    expect(rows.first).to_be_visible()
    assert rows.evaluate_all("all => all.filter(row => row.scrollHeight > row.offsetHeight).length") == 0
