"""The rules over rows of cells, in the form that compiles."""
