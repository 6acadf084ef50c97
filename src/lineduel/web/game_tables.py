"""The tables that live games are kept in, as this version of the program has them."""

import sqlalchemy as sa

tables = sa.MetaData()
rulebooks = sa.Table(
    "rulebooks",
    tables,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("toml", sa.Text, nullable=False),
    sa.Column("variant", sa.Text, nullable=False),
)
games = sa.Table(
    "games",
    tables,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("rulebook", sa.Text, sa.ForeignKey("rulebooks.key"), nullable=False),
    sa.Column("start", sa.Text, nullable=False),
    sa.Column("seat1", sa.Text, nullable=False),
    sa.Column("seat2", sa.Text, nullable=False),
    sa.Column("seat1_hash", sa.Text),
    sa.Column("seat2_hash", sa.Text),
    sa.Column("invite_hash", sa.Text),
    sa.Column("spectator_hash", sa.Text),
    sa.Column("created", sa.Float, nullable=False),
)
happenings = sa.Table(
    "happenings",
    tables,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("side", sa.SmallInteger, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sqlite_with_rowid=False,
)
number_rows = sa.Table(
    "secret_numbers",
    tables,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("side", sa.SmallInteger, primary_key=True),
    sa.Column("number", sa.SmallInteger, nullable=False),
)
"""Numbers chosen in open battles; each is removed when it is revealed."""
