"""The keys of the game screen, and the help page that explains them."""

KEYS = (
    ("?", "help", "screen.keys"),
    ("u", "undo", "screen.undo"),
    ("v", "values", "screen.values"),
    ("i", "hint", "screen.hint"),
    ("b", "rules", "screen.rules"),
    ("r", "resign", "screen.resign"),
    ("n", "new", "screen.new"),
    ("Esc", "back", "screen.home"),
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
LIVE_KEYS = (
    ("?", "help", "screen.keys"),
    ("u", "take back", "screen.undo"),
    ("b", "rules", "screen.rules"),
    ("f", "flip", "screen.flip"),
    ("r", "resign", "screen.resign"),
    ("q", "leave", "screen.quit"),
)
LIVE_KEYS_AT_THE_END = (
    ("a", "play again", "screen.rematch"),
    ("?", "help", "screen.keys"),
    ("b", "rules", "screen.rules"),
    ("q", "leave", "screen.quit"),
)
_AIMING = """\
  [$key]← →[/]    where the piece goes ([$key]h l[/])
  [$key]↑ ↓[/]    which piece ([$key]k j[/])
  [$key]Enter[/]  play the move that is marked
"""
_PLAYING = (
    "[b]Playing[/b]\n"
    + _AIMING
    + """\
  [$key]1 … 9[/]  play the move with that key at once;
         in a battle, choose that number{battle}
  [$key]m[/]      type or paste a move, as P1-A+2;
         a capital letter begins one, too
  [$key]mouse[/]  click a piece, then a cell that lights
         up; or a line of the list

"""
)
HELP = f"""\
{_PLAYING.format(battle="")}\
[b]Help[/b]
  [$key]i[/]      a hint; again: why; again: the best move
  [$key]v[/]      what every move is worth: +7 wins in
         7 turns, -4 loses in 4, = is even,
         ∞ never ends; in brackets your chances
         within 30 turns, if you play your best
  [$key]b[/]      the rulebook
  [$key]u[/]      undo; against the computer its move
         goes back with yours; [$key]y[/] plays it again

[b]The game[/b]
  [$key]r[/]      resign
  [$key]o[/]      offer to stop, so that nobody wins
  [$key]s[/]      save to a file of your own
         (every move is saved anyway)
  [$key]n[/]      a new game
  [$key]z[/]      puzzles of this game
  [$key]f[/]      flip the board
  [$key]d[/]      dark or light colours
  [$key]PgUp[/]   scroll the moves so far; [$key]PgDn[/] goes back
  [$key]Esc[/]    back to the games; this one is saved
  [$key]q[/]      quit; the game is saved, and goes on
         with 'continue'
"""
_SECRET = """: nobody
         sees it until both have chosen"""
LIVE_HELP = f"""\
{_PLAYING.format(battle=_SECRET)}\
[b]With the other player[/b]
  [$key]u[/]      ask to take your last move back; the other
         player allows ([$key]y[/]) or refuses ([$key]n[/]) it
  [$key]r[/]      resign
  [$key]o[/]      offer to stop, so that nobody wins
  [$key]a[/]      play again with the seats swapped, once the
         game is over
  [$key]w c x[/]  if the other player has been away long enough:
         claim the win, let the computer play, or
         end the game
  [$key]t[/]      take your seat back if the computer plays it

[b]The screen[/b]
  [$key]b[/]      the rulebook
  [$key]f[/]      flip the board
  [$key]d[/]      dark or light colours
  [$key]PgUp[/]   scroll the moves so far; [$key]PgDn[/] goes back
  [$key]q[/]      leave; the game goes on, and the same command
         brings you back
"""
HOME_HELP = """\
[b]Choosing a game[/b]
  [$key]↑ ↓[/]    choose ([$key]k j[/])
  [$key]Enter[/]  play it; [$key]1 … 9[/] plays one at once
  [$key]b[/]      read its rules
  [$key]z[/]      solve puzzles of it
  [$key]mouse[/]  click a game to play it

[b]Learning[/b]
  [$key]e[/]      your first duel, a lesson of three minutes
  [$key]t[/]      all lessons

[b]Your games[/b]
  [$key]c[/]      continue the game you left last
  [$key]g[/]      your games: continue, review or delete one;
         statistics

[b]Everywhere[/b]
  [$key]?[/]      this help
  [$key]d[/]      dark or light colours
  [$key]Esc[/]    back
  [$key]q[/]      quit; an unfinished game is saved
"""
HISTORY_HELP = """\
[b]Your games[/b]
  [$key]↑ ↓[/]    choose ([$key]k j[/]); [$key]PgUp[/] and [$key]PgDn[/] go ten on
  [$key]Enter[/]  continue an unfinished game, review a
         finished one
  [$key]r[/]      review a game, finished or not
  [$key]x[/]      delete a game for good; you are asked first
  [$key]s[/]      statistics: wins, accuracy, streaks
  [$key]mouse[/]  click a game to open it
  [$key]Esc[/]    back

  A game that you left after a single move is removed
  once you leave another one.
  At a shell, 'lineduel history' lists the same games.
"""
STATISTICS_HELP = """\
[b]Statistics[/b]
  Only finished games that you played against a program
  are counted.

  [b]accuracy[/b]  how many of your choices kept the best result
            that was possible; the review of a game shows
            which did not
  [b]streak[/b]    how many of the latest games you won in a row
  [b]best[/b]      the most games you won in a row

  Games that are new are reviewed when this page opens,
  which takes a moment. [$key]Esc[/] leads back at any time.
"""
REVIEW_HELP = """\
[b]Looking at the game[/b]
  The review opens at the turning point: the last mistake
  of the side that lost. Pieces and cells that the reason
  is about are lit.
  [$key]← →[/]    one move back or on ([$key]h l[/])
  [$key]↑ ↓[/]    the mistake before or after ([$key]k j[/])
  [$key]Home[/]   the start; [$key]End[/] the end
  [$key]PgUp[/]   scroll the chart; [$key]PgDn[/] goes back

[b]The marks[/b]
  [$loss]??[/]     a proved loss of more than 1: a win became a loss
  [$loss]?[/]      a proved loss of up to 1
  [$endless]?![/]     a win that takes longer than needed,
         or a loss that comes sooner
  [$win]![/]      the only good move, and it was found
  The chart shows what you could expect (player 1 if
  two people play), from a win at the top to a loss.

[b]From here[/b]
  [$key]x[/]      step through the line that shows why, then
         through the better one; [$key]← →[/] step, [$key]x[/] leads back
  [$key]t[/]      try it yourself: find a better move
  [$key]p[/]      play on from this position
  [$key]m[/]      a rematch with the seats swapped
  [$key]n[/]      a new game
  [$key]z[/]      puzzles of this game
  [$key]b[/]      the rulebook
  [$key]f[/]      flip the board
  [$key]Esc[/]    back to the games
"""
PUZZLE_HELP = f"""\
[b]Puzzles[/b]
  Exactly one move is good. Find it as you would play it:
{_AIMING}\
  [$key]1 … 9[/]  play the move with that key at once
  [$key]m[/]      type a move
  [$key]a[/]      show the answer, once you have tried
  [$key]w[/]      which puzzles: all, your own mistakes, the
         puzzle of the day, or one kind of reason

  Your first answer counts for your rating; a puzzle of
  grade 4 counts as an opponent of 1400.

  [$key]b[/]      the rulebook
  [$key]f[/]      flip the board
  [$key]Esc[/]    back to the games
"""
LESSON_HELP = f"""\
[b]A lesson[/b]
  Read, and do what is asked:
{_AIMING}\
  [$key]1 … 9[/]  play the move with that key, or choose the
         answer or the number with it
  [$key]m[/]      type a move
  [$key]Enter[/]  go on, once the answer is right
  [$key]s[/]      skip a task

  [$key]b[/]      the rulebook
  [$key]f[/]      flip the board
  [$key]Esc[/]    back to the games
"""
