"""Many games between programs: tournaments, ladders, ratings."""
