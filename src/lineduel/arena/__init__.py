"""Many games between programs: exact results of policies, and tournaments of the others."""
