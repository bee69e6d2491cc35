"""What can be wrong with a result file, in one line that begins with its path."""


class ResultError(Exception):
    """The file cannot be read, is not a result of simrun, or does not hold what was asked for."""

    exit_status = 3  # of a program that ends with it

    def __str__(self):  # KeyError below would put it in quotes
        return str(self.args[0]) if self.args else ""


class MissingError(ResultError, KeyError):
    """The file has no such part, object, column or step."""

    exit_status = 1


class FrameError(ResultError, IndexError):
    """The file has no such frame or checkpoint."""

    exit_status = 1


class ArgumentError(ResultError, ValueError):
    """What was asked is no question: the file is as it should be."""

    exit_status = 1
