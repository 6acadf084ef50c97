"""What goes out and comes in: JSON documents, pages, text and data."""
