"""Files: read, written, remembered, and opened again by later versions."""
