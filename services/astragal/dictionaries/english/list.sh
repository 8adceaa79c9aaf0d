#!/bin/sh
# Prints the word list that english.dict is built of, from the package `scowl` of Debian (here
# 2020.12.07-2): all words up to size 80 in every spelling, accents stripped, of 2 to 15 letters,
# with those to add and without those to drop, which lie with the tests' data (ASTRAGAL_DATA).
set -eu
export LC_ALL=C.UTF-8
data=${ASTRAGAL_DATA:-$(dirname "$0")/../../../../../shared/data}/crossword
scowl=${SCOWL:-/usr/share/dict/scowl}
[ -d "$scowl" ] || { echo "list.sh: there is no $scowl, install the package scowl" >&2; exit 1; }

drop=$(mktemp)
trap 'rm -f "$drop"' EXIT
sort -u "$data/scowl80-drop.txt" > "$drop"
{
    for size in 10 20 35 40 50 55 60 70 80; do
        cat "$scowl"/*-words.$size
    done
    cat "$data/scowl80-add.txt"
} | sed 'y/áàâäãåçéèêëíìîïñóòôöõúùûüý/aaaaaaceeeeiiiinooooouuuuy/' |
    grep -xE '[abcdefghijklmnopqrstuvwxyz]{2,15}' | sort -u | comm -23 - "$drop"
