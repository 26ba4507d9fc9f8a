"""How the judgement of a book is shown: text, JSON, SARIF and one HTML page, all from one `Report`."""

from verifier.report.report import Picture, Report, ShownDiagnostic, ShownFinding, report_of

__all__ = ["Picture", "Report", "ShownDiagnostic", "ShownFinding", "report_of"]
