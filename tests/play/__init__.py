"""One live game: intents, events, what each side sees, and the history of games."""
