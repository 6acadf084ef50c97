"""It stops listening once it has named itself, and stays."""

import os
import time

from polite import say

input()
os.close(0)
say("id name zoo")
say("duelok")
time.sleep(600)
