# Inserts the description of a Varlink interface into a manual page: `awk -f interface.awk INTERFACE PAGE` prints PAGE and
# replaces the text between its two marks with the comments and signatures of INTERFACE. `make man` runs it, and a
# test checks that the pages are up to date.
function tell(text, count, sentences, number) {
    gsub(/\\/, "\\e", text)
    count = split(text, sentences, /[.] /)
    for (number = 1; number <= count; number++) {
        if (sentences[number] != "") sentence(sentences[number] (number < count ? "." : ""))
    }
}

# Adds a sentence to the page. A word in backquotes, with the punctuation around it, becomes a macro on a line of
# its own.
function sentence(text, count, parts, number, opening) {
    count = split(text, parts, "`")
    for (number = 1; number <= count; number++) {
        text = parts[number]
        if (number % 2 == 0) {
            out = out macro(text, opening)
            opening = ""
            continue
        }
        if (number > 1) {
            while (text ~ /^[.,:;)]/) {
                out = out " " substr(text, 1, 1)
                text = substr(text, 2)
            }
            out = out "\n"
        }
        if (number < count && text ~ /\($/) {
            opening = "( "
            text = substr(text, 1, length(text) - 1)
        }
        gsub(/^ +| +$/, "", text)
        if (text != "") out = out (text ~ /^[.']/ ? "\\&" : "") text "\n"
    }
}

# Returns the macro for a word: a field of the definition that the entry describes, or a field of such a field; a
# method, type or error; or a value.
function macro(word, opening, field) {
    field = word
    if (word ~ /^io[.]cutied[.]/) return ".Xr " opening word " 7"
    if (index(definition_words, " " word ": ")) return ".Va " opening word
    if (sub(/[.].*/, "", field) && match(definition_words, " " field ": [?]?[A-Z]")) return ".Va " opening word
    if (known[word] == "type") return ".Vt " opening word
    if (known[word] == "error") return ".Er " opening word
    if (known[word] == "method" || word ~ /^[A-Z][a-z]+[A-Z]/) return ".Fn " opening word
    return ".Ql " opening word
}

# Returns the content of the parentheses at the beginning of `text`, such as "a: int, b: ?string". Sets `rest` to the
# text after them.
function fields(text, depth, place, letter) {
    for (place = 1; place <= length(text); place++) {
        letter = substr(text, place, 1)
        if (letter == "(") depth++
        if (letter == ")" && --depth == 0) break
    }
    rest = substr(text, place + 1)
    text = substr(text, 2, place - 2)
    gsub(/^ +| +$/, "", text)
    return text
}

function entry(kind, definition, name, given, returned, words) {
    name = definition
    sub(/^[a-z]+ /, "", name)
    sub(/ *\(.*/, "", name)
    sub(/^[^(]*/, "", definition)
    definition_words = " " definition
    gsub(/[(]/, " ", definition_words)
    given = fields(definition)
    if (kind == "type") out = out ".It Vt " name "\n"
    if (kind == "error") out = out ".It Er " name "\n"
    if (kind == "method") {
        words = given
        gsub(/, /, "\" \"", words)
        out = out ".It Fn " name (given == "" ? "" : " \"" words "\"") "\n"
    }
    tell(comment)
    if (kind == "method") {
        sub(/^ *-> */, "", rest)
        returned = fields(rest)
        if (returned != "") tell("Returns " returned ".")
    } else if (given != "") {
        tell((given ~ /:/ ? "Fields: " : "One of: ") given ".")
    }
}

function section(kind, title, number, some) {
    for (number = 1; number <= total; number++) some = some || kinds[number] == kind
    if (!some) return
    out = out ".Ss " title "\n.Bl -tag -width Ds\n"
    for (number = 1; number <= total; number++) {
        comment = comments[number]
        if (kinds[number] == kind) entry(kind, definitions[number])
    }
    out = out ".El\n"
}

FNR == 1 { file++ }
file == 1 && /^#/ { sub(/^# ?/, ""); said = said (said == "" ? "" : " ") $0; next }
file == 1 && /^(type|method|error) / { comments[++total] = said; kinds[total] = $1; open = 1; name = $2; sub(/[(].*/, "", name); known[name] = $1 }
file == 1 && open {
    line = $0
    gsub(/^ +/, "", line)
    definitions[total] = definitions[total] (definitions[total] == "" || definitions[total] ~ /\($/ || line ~ /^\)/ ? "" : " ") line
}
file == 1 { if (/^$/) { said = ""; open = 0 }; next }
/^\.\\" Written by `make man` from here/ {
    print
    section("method", "Methods")
    section("type", "Types")
    section("error", "Errors")
    printf "%s", out
    skipping = 1
}
/^\.\\" to here/ { skipping = 0 }
!skipping { print }
