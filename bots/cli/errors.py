"""Errors of the command line."""


class CommandError(Exception):
    """Invalid usage or a refused request; the text says what to do. Exit status 2."""


class UploadError(CommandError):
    """An invalid bot file; the text is the message of the upload page."""
