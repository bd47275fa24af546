"""A page's form as a browser without JavaScript submits it."""

from __future__ import annotations

from html.parser import HTMLParser


class SentForm(HTMLParser):
    """The form with this attribute: its ``fields`` by name, and its ``action`` URL."""

    def __init__(self, page: str, *, mark: str) -> None:
        super().__init__()
        self.mark, self.action = mark, ""
        self.fields: dict[str, list[str]] = {}
        self._inside = False
        self._select = self._textarea = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and (self.mark in given or given.get("id") == self.mark):
            self._inside, self.action = True, given.get("action", "")
        elif not self._inside:
            return
        elif tag == "input" and given.get("name"):
            can_be_checked = given.get("type") in ("checkbox", "radio")
            if not can_be_checked or "checked" in given:
                self._add(given["name"], given.get("value", "on" if can_be_checked else ""))
        elif tag == "textarea":
            self._textarea = given["name"]
            self._add(self._textarea, "")
        elif tag == "select":
            self._select = given["name"]
        elif tag == "option" and self._select and ("selected" in given or self._select not in self.fields):
            self.fields[self._select] = [given.get("value", "")]

    def handle_data(self, data: str) -> None:
        if self._textarea:
            self.fields[self._textarea][-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False
        elif tag == "textarea" and self._textarea:
            self.fields[self._textarea][-1] = self.fields[self._textarea][-1].removeprefix("\n")
            self._textarea = ""
        elif tag == "select":
            self._select = ""

    def _add(self, name: str, value: str) -> None:
        self.fields.setdefault(name, []).append(value)
