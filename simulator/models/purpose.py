"""What the current call to a model is for; kept per task, so that concurrent stakeholders do not mix theirs up.

Written as a path whose last part says what kind of task it is: `3/1/tourist/propose`. The response cache keeps replies
for different purposes apart and counts them by that last part.
"""

from contextvars import ContextVar

purpose: ContextVar[str] = ContextVar("purpose", default="")
