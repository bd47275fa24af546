"""What a command cannot do for the person who typed it."""


class CommandError(Exception):
    """The command cannot be carried out as it stands; the text says what to do instead. Exit status 2."""


class UploadError(CommandError):
    """The file is no bot that the arena would take; the text is what its upload page says."""
