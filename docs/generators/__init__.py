"""The pages of the documentation site that are made from the code when the site is built."""
