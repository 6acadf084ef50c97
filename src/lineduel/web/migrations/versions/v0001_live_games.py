"""Live games, what happened in them, and numbers that are still secret."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; those that an upgrade left which was cut off are whole, and stay."""
    op.create_table(
        "rulebooks",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("toml", sa.Text, nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "games",
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
        if_not_exists=True,
    )
    op.create_table(
        "happenings",
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("side", sa.SmallInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )
    op.create_table(
        "secret_numbers",
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("side", sa.SmallInteger, primary_key=True),
        sa.Column("number", sa.SmallInteger, nullable=False),
        if_not_exists=True,
    )
