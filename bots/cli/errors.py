"""Command-line errors."""


class CommandError(Exception):
    """Invalid usage or a refused request; the text says what to do next. Exit status 2."""


class UploadError(CommandError):
    """An invalid bot file; the text is the same as on the upload page."""
