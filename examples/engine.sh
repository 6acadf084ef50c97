#!/bin/sh
# A complete engine that knows no rules: it picks one of the moves or numbers it is offered.

state=$$

# A number from 1 to $1, by a linear congruential generator.
draw() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    drawn=$((state / 65536 % $1 + 1))
}

# Answers `go`, whose words it is given; words that it does not know are skipped.
choose() {
    while [ $# -gt 0 ]; do
        case $1 in
        moves)
            shift
            [ $# -gt 0 ] || break
            draw $#
            shift $((drawn - 1))
            echo "bestmove $1"
            return
            ;;
        hand)
            draw ${#2}
            printf 'bestmove %s\n' "$(printf %s "$2" | cut -c "$drawn")"
            return
            ;;
        numbers)
            draw "$2"
            echo "bestmove $drawn"
            return
            ;;
        esac
        shift
    done
    echo "error nothing to choose from"
}

set -f
while read -r word rest; do
    case $word in
    duel) printf 'id name shell example\nduelok\n' ;;
    isready) echo readyok ;;
    rules | position | '') ;;
    go) choose $rest ;;
    quit) exit ;;
    *) echo "error '$word' is not understood" ;;
    esac
done
