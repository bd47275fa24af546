"""Command-line errors."""

from arena.core.sandbox.uploads.problems import PackageError


class CommandError(Exception):
    """Invalid usage or a refused request; the text says what to do next. Exit status 2."""


class UploadError(CommandError):
    """An invalid bot file; the text is the same as on the upload page."""

    def __init__(self, problem: PackageError) -> None:
        super().__init__(f"{problem.message} {problem.hint}".strip())
