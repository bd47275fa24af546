"""A page's form as a browser without JavaScript submits it."""

from __future__ import annotations

from html.parser import HTMLParser


class SentForm(HTMLParser):
    """The form that has the attribute or id ``mark``: its ``fields`` by name, and its ``action`` URL."""

    def __init__(self, page: str, *, mark: str) -> None:
        super().__init__()
        self.mark, self.action = mark, ""
        self.fields: dict[str, list[str]] = {}
        self._inside = False
        self._select = self._textarea = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form" and (self.mark in values or values.get("id") == self.mark):
            self._inside, self.action = True, values.get("action", "")
        elif not self._inside:
            return
        elif tag == "input" and values.get("name"):
            can_be_checked = values.get("type") in ("checkbox", "radio")
            if not can_be_checked or "checked" in values:
                self._add(values["name"], values.get("value", "on" if can_be_checked else ""))
        elif tag == "textarea":
            self._textarea = values["name"]
            self._add(self._textarea, "")
        elif tag == "select":
            self._select = values["name"]
        elif tag == "option" and self._select and ("selected" in values or self._select not in self.fields):
            self.fields[self._select] = [values.get("value", "")]

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
