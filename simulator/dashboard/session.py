"""What one browser looks at: a world that can be replaced by another, and the wish to be told of every change."""

from __future__ import annotations

import threading

from simulator.dashboard.choices import Choices
from simulator.dashboard.drive import Drive


class Session:
    """The world of one browser.

    Attributes:
        drive: the world in force.
    """

    def __init__(self, choices: Choices, *, pause: float = 0.0) -> None:
        self._changed = threading.Condition()
        self._version = 0
        self._closed = False
        self.drive = Drive(choices, pause=pause, tell=self.tell)

    def reset(self, choices: Choices, *, pause: float = 0.0) -> None:
        """Make a new world and close the one in force; a round that is under way there ends unseen.

        Raises:
            InputError: a choice is wrong; the world in force stays.
        """
        scenario = choices.load()
        before = self.drive
        self.drive = Drive(choices, scenario=scenario, pause=pause, tell=self.tell)
        before.close()
        self.tell()

    def tell(self) -> None:
        """Something has changed."""
        with self._changed:
            self._version += 1
            self._changed.notify_all()

    def wait(self, version: int | None = None) -> int | None:
        """Wait until there is another version than the one last seen; None when the session is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._version != version)
            return None if self._closed else self._version

    def close(self) -> None:
        """Close the world and let go of who waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.drive.close()
