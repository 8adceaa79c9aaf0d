#!/bin/sh
# Prints the word list that turkish.dict is built of, from the npm package `dictionary-tr` (here 2.0.0, unpacked into
# the folder DICTIONARY_TR): stems of 2 to 15 letters without proper names and abbreviations. It is a spelling
# dictionary: inflected forms are mixed in.
set -eu
export LC_ALL=C.UTF-8
words=${DICTIONARY_TR:-node_modules/dictionary-tr}/index.dic
[ -f "$words" ] || { echo "list.sh: there is no $words, unpack the npm package dictionary-tr" >&2; exit 1; }

sed 1d "$words" | cut -d/ -f1 |
    grep -xE '[abcçdefgğhıijklmnoöprsştuüvyz]{2,15}' | grep -E '[aeıioöuü]' | sort -u
