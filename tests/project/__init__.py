"""The project as a whole: names, documents, examples, packages."""
