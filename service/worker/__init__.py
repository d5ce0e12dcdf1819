"""The worker: clocks, bots and jobs. RQ only wakes it; what to do follows from the log."""
