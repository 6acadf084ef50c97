"""It is ready to play, but does not say who it is."""

from polite import say

input()
say("id author nobody")
say("duelok")
input()
