"""How many days a player has for each turn, in games that are played by correspondence."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, unless an upgrade that was cut off has left it."""
    columns = sa.inspect(op.get_bind()).get_columns("games")
    if not any(column["name"] == "days" for column in columns):
        op.add_column("games", sa.Column("days", sa.SmallInteger))
