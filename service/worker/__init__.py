"""The RQ worker: clocks, bots and jobs. RQ only wakes; what must happen follows from the log."""
