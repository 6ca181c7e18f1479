"""The state of a Register, its effects, and building one."""
