"""The client side of the job queues: kinds of jobs, enqueueing, status, cancelling."""
