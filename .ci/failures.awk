# Passes the output of the tests on, without the frames of backtraces that are not in this repository, and says at its
# very end again how each test failed: whoever keeps only the end of a log keeps what matters.

BEGIN { LINES_MAX = 20; WIDTH_MAX = 600 }

# A frame is a line with its function, and one with its place, which is relative if it is ours.
/^[Ss]tack backtrace:$/ { tell($0); is_backtrace = 1; next }
is_backtrace && /^ +[0-9]+: / { frame = substr($0, 1, 120); next }
is_backtrace && /^ +at / {
    if ($2 ~ /^\..*\.rs:/ && frame != "") tell(frame "  " $2)
    frame = ""
    next
}
{ is_backtrace = 0 }

{ tell($0) }

/^---- .* stdout ----$/ { section = ++sections; lines[section] = 0 }
/^failures:$/ { section = 0 }

END {
    if (sections) print "\nWhat failed:\n"
    for (number = 1; number <= sections; number++) printf "%s\n", said[number]
}

function tell(line) {
    print line
    fflush()
    if (line ~ /^---- .* stdout ----$/ || section && line != "failures:" && line != "") note(line)
}

function note(line) {
    at = line ~ /^---- .* stdout ----$/ ? sections + 1 : section
    if (lines[at]++ < LINES_MAX) said[at] = said[at] substr(line, 1, WIDTH_MAX) "\n"
}
