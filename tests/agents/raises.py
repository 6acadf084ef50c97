"""A module of an agent that cannot be imported."""

raise RuntimeError("on purpose")
