"""What a rulebook is worth: audits, repairs, sweeps, and their pages."""
