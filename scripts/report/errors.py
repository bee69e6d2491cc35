"""What keeps scripts/report.py from writing its page."""
from common.command_line import Complaint


class ReportError(Complaint):
    """One line that names what is wrong and what helps."""
