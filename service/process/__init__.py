"""One running process: the parts it is made of, and the tasks that look after an installation."""
