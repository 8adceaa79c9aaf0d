#!/bin/sh
# Prints the word list that russian.dict is built of, from the package `hunspell-ru` of Debian (here 1:7.5.0-1):
# nouns of 2 to 15 letters in the nominative singular. `list.sh erudit` prints that of erudit.dict, where Ё is Е.
#
# The dictionary has one letter a declension. F, G, H, I, J, K and N are those of nouns; A, S and L those of
# adjectives and participles, which may have one of these besides. E has nouns and comparatives (in -ее). O has what
# loses a vowel when declined, plurals and adjectives too, so only nouns' endings are taken. Nouns that decline in
# no such way, or not at all, are in add.txt.
set -eu
export LC_ALL=C.UTF-8
here=$(dirname "$0")
words=${HUNSPELL_RU:-/usr/share/hunspell/ru_RU.dic}
[ -f "$words" ] || { echo "list.sh: there is no $words, install the package hunspell-ru" >&2; exit 1; }

case ${1:-russian} in
    russian) yo=ё ;;
    erudit) yo=е ;;
    *) echo "list.sh: the words are for russian or erudit" >&2; exit 1 ;;
esac
letter='[абвгдеёжзийклмнопрстуфхцчшщъыьэюя]'
{
    grep -E "^$letter+/[A-Z]*[FGHIJKN]" "$words" | grep -vE '/.*[ASL]'
    grep -E "^$letter+/E$" "$words" | grep -v 'ее/'
    grep -E "^$letter+(ец|ок|ек|ёк|ень|нин)/O$" "$words"
    grep -E "^$letter" "$here/add.txt" | tr ' ' '\n'
} | cut -d/ -f1 | sed "s/ё/$yo/g" | grep -xE "$letter{2,15}" | sort -u
