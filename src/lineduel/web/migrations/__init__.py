"""How databases of older versions are upgraded."""
