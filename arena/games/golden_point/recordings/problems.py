"""What is wrong with a recorded file, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _

from arena.games.golden_point.evaluation.recorded_file import FileError


def explain(error: FileError) -> str:
    """The sentence of the parser, with the line that it is about."""
    template = _(error.template)
    sentence = template % error.values if error.values else template
    return _("Line %(line)s: %(sentence)s") % {"line": error.line, "sentence": sentence} if error.line else sentence
