"""Property tests draw the same examples every time: what fails fails for everybody."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")
