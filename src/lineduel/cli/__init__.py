"""What people type at a shell."""
