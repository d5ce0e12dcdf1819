"""The rules by subject: who may send what, what each command does, and where a boat can be."""
