"""The keys of a game on the whole screen, and the page that explains them."""

KEYS = (
    ("?", "keys", "screen.keys"),
    ("u", "undo", "screen.undo"),
    ("v", "values", "screen.values"),
    ("i", "hint", "screen.hint"),
    ("r", "resign", "screen.resign"),
    ("f", "flip", "screen.flip"),
    ("s", "save", "screen.save"),
    ("n", "new", "screen.new"),
    ("q", "quit", "screen.quit"),
)
KEYS_AT_THE_END = (
    ("Enter", "review", "screen.review"),
    ("m", "rematch", "screen.type"),
    ("u", "undo", "screen.undo"),
    ("n", "new", "screen.new"),
    ("s", "save", "screen.save"),
    ("Esc", "games", "screen.home"),
    ("q", "quit", "screen.quit"),
)
HELP = """\
[b]Playing[/b]
  [$key]← →[/]    where the piece goes
  [$key]↑ ↓[/]    which piece
  [$key]Enter[/]  play the move that is marked
  [$key]1 … 9[/]  play the move with that key at once;
         in a battle, choose that number
  [$key]m[/]      type a move, as P1-A+2;
         a capital letter begins one, too
  [$key]mouse[/]  click a piece, then a cell that lights
         up; or a line of the list

[b]Help[/b]
  [$key]i[/]      a hint: the best move and why
  [$key]v[/]      what every move is worth: +7 wins in
         7 turns, -4 loses in 4, = is even,
         ∞ never ends; in brackets, what it is
         worth against a fallible opponent
  [$key]b[/]      the rulebook
  [$key]u[/]      undo; against the computer its move
         goes back with yours

[b]The game[/b]
  [$key]r[/]      resign
  [$key]s[/]      save to a file
         (it is kept after every move anyway)
  [$key]n[/]      a new game
  [$key]z[/]      puzzles of this game
  [$key]f[/]      flip the board
  [$key]d[/]      dark or light colours
  [$key]PgUp[/]   scroll what happened; [$key]PgDn[/] goes back
  [$key]Esc[/]    back to the games; this one is kept
  [$key]q[/]      quit; the game is kept, and goes on
         with 'continue'
"""
