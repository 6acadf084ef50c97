"""Run by Alembic: applies the upgrades over the connection that it is given."""

from alembic import context

# The connection is in a transaction, which holds the whole upgrade.
context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
