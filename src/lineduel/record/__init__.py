"""A game as text: positions, moves and whole records."""

from lineduel.record.notation import parse_move, parse_position, read_position
from lineduel.record.record import Record, read_record, write_record

__all__ = [
    "Record",
    "parse_move",
    "parse_position",
    "read_position",
    "read_record",
    "write_record",
]
