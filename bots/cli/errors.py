"""Command-line errors."""

from arena.core.sandbox.uploads.problems import PackageError


class CommandError(Exception):
    """Raised for invalid usage or a refused request; the text says what to do next. Exit status 2.

    ``code`` identifies the error for programs: it is printed after the text, and does not change with the wording.
    """

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code


class NoMainError(CommandError):
    """Raised if the bot's folder has no main.py."""

    def __init__(self, folder: object) -> None:
        text = f"The folder {folder} has no main.py. Choose another folder, or rename your player's file to main.py."
        super().__init__(text, code="no_main")


class UploadError(CommandError):
    """Raised if the bot's file is invalid; the error has the same text and code as on the upload page."""

    def __init__(self, problem: PackageError) -> None:
        super().__init__(f"{problem.message} {problem.hint}", code=problem.code)
