"""A game as text: positions, moves and whole records."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.record.notation import (
        parse_move as parse_move,
        parse_position as parse_position,
        read_position as read_position,
    )
    from lineduel.record.record import (
        Record as Record,
        read_record as read_record,
        write_record as write_record,
    )

offer(__name__)
