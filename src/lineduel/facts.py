"""What sentences are made from."""


class Fact:
    """Something that a sentence says to a person about a game.

    A law in `tests/coach/test_sentences.py` recomputes each kind of fact; a kind without a law
    fails there. So a sentence can only be as wrong as its wording.
    """

    __slots__ = ()
