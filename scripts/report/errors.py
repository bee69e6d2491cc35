"""What keeps scripts/report.py from writing its page."""


class ReportError(Exception):
    """One line that names what is wrong and what helps."""
