"""Who chooses moves: levels, the search, engines of others."""
