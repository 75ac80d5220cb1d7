"""What the current call to a model is for; kept per task, so that concurrent stakeholders do not mix theirs up."""

from contextvars import ContextVar

purpose: ContextVar[str] = ContextVar("purpose", default="")
