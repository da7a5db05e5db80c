# Completion for bash. Commands, options and the words they take are read from `callcost --help` when they are asked
# for, so they are always those of the callcost that is there. Needs no other completion package.

# Lines of "option, letter, placeholder, description", between bars.
_callcost_options() {
    env COLUMNS=1000 "$1" "$2" --help --all 2>/dev/null |
        sed -nE 's/^  (-([a-zA-Z]), )?(--[a-z-]+)(\[=[^]]*\]| [^ ]*[A-Z|][^ ]*)? +(.*)/\3\x01\2\x01\4\x01\5/p'
}

# Of the program or, behind it, of a command.
_callcost_commands() {
    env COLUMNS=1000 "$@" --help 2>/dev/null | sed -nE '/^(C|Subc)ommands:/,/^$/s/^  ([a-z]+) .*/\1/p'
}

# Functions or event types of the files on the line; callcost takes the newest profile here if there are none.
_callcost_functions() {
    "$1" top --json --limit 0 --quiet "${@:2}" 2>/dev/null | sed -nE 's/^  \{"function":"(([^"\\]|\\.)*)".*/\1/p'
}
_callcost_events() {
    "$1" info --json --quiet "${@:2}" 2>/dev/null | sed -nE 's/^  \{"name":"([^"]*)","long_name":.*/\1/p'
}

# The programs of the project's callcost.toml, as `record` without one lists them.
_callcost_programs() {
    "$1" record 2>&1 | sed -n 's/^  hint: .*callcost\.toml has: //p' | sed 's/, /\n/g'
}

# "self, inclusive, called (default) or name"; "exact: the same; fuzzy: whatever comes close"
_callcost_words() {
    local text=${1// (default)/}
    if [[ $text =~ ^[a-z]+:\ .*\;\ [a-z]+:\  ]]; then
        grep -oE '(^|; )[a-z]+:' <<<"$text" | tr -d ';: '
    else
        grep -oE '([a-z-]+, )*[a-z-]+ or [a-z-]+' <<<"$text" | head -n 1 | sed 's/, \| or /\n/g'
    fi
}

# What `diff` writes, from the description of its --output.
_callcost_reports() {
    _callcost_words "$(_callcost_options "$1" diff | grep '^--output')"
}

# _callcost_values PROGRAM OPTION PLACEHOLDER DESCRIPTION FILE...: what may stand behind the option.
_callcost_values() {
    case $2$3 in
        --event* | --columns*) _callcost_events "$1" "${@:5}" ;;
        --focus* | --ignore* | --hide* | --root* | --show*PATTERN*) _callcost_functions "$1" "${@:5}" ;;
        *)
            if [[ $3 == *DIR* ]]; then
                compgen -d -- "$current"
            elif [[ $3 == *FORMAT=*FILE* ]]; then
                _callcost_reports "$1" | sed 's/$/=/'
                compgen -f -- "$current"
            elif [[ $2 == --format && $4 == 'format of standard output'* ]]; then
                _callcost_reports "$1"
            elif [[ $3 == *FILE* ]]; then
                compgen -f -- "$current"
            elif [[ $3 == *'|'* ]]; then
                tr -d '[]= ' <<<"$3" | tr '|' '\n'
            else
                _callcost_words "$4"
            fi
            ;;
    esac
}

# Sets COMPREPLY to those of the names, one per line, that begin with what is typed. Readline wants what comes after the
# last ':' of it only.
_callcost_names() {
    local typed=$current name
    [[ $COMP_LINE != *:* ]] || typed=${COMP_LINE:0:COMP_POINT} typed=${typed##*[[:space:]]}
    for name in $(sort -u <<<"$1"); do
        [[ $name != "$typed"* ]] || COMPREPLY+=("$(printf %q "${name#"${typed%"${typed##*:}"}"}")")
    done
}

_callcost() {
    local IFS=$'\n' current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local program=${COMP_WORDS[0]/#\~/$HOME} command=top first=${COMP_WORDS[1]} words=() files=() fields word option
    COMPREPLY=()
    # Readline cuts words at '=' and ':'.
    if [[ $current == '=' ]]; then
        current=
    elif [[ $previous == '=' ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi

    [[ $COMP_CWORD -gt 1 && $'\n'$(_callcost_commands "$program")$'\n' == *$'\n'"$first"$'\n'* ]] && command=$first
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}" "${COMP_WORDS[@]:COMP_CWORD+1}"; do
        [[ -f $word ]] && files+=("$word")
    done

    if [[ $previous == -* && $COMP_CWORD -gt 1 ]]; then
        for option in $(_callcost_options "$program" "$command"); do
            IFS=$'\x01' read -r -a fields <<<"$option"
            [[ $previous == "${fields[0]}" || $previous == "-${fields[1]}" ]] || continue
            # A value in brackets stands only behind a '='.
            [[ -n ${fields[2]} && (${fields[2]} != '['* || ${COMP_WORDS[COMP_CWORD - 1]} == '=' ||
                ${COMP_WORDS[COMP_CWORD]} == '=') ]] || continue
            words=($(_callcost_values "$program" "${fields[0]}" "${fields[2]}" "${fields[3]}" "${files[@]}"))
            COMPREPLY=($(compgen -W '${words[@]//\\/\\\\}' -- "$current"))
            COMPREPLY=("${COMPREPLY[@]// /\\ }")
            [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
            return
        done
    fi
    if [[ $current == -* ]]; then
        words=($(_callcost_options "$program" "$command" | cut -d $'\x01' -f 1) --help)
        COMPREPLY=($(compgen -W '${words[*]}' -- "$current"))
        return
    fi

    word=${COMP_LINE:0:COMP_POINT}
    if [[ ($command == peek || $command == asm) && ($COMP_CWORD -eq 2 || $word =~ ^[^[:space:]]+[[:space:]]+(peek|asm)[[:space:]]+[^[:space:]]*$) ]]; then
        _callcost_names "$(_callcost_functions "$program" "${files[@]}")"
        return
    fi
    if [[ ${COMP_WORDS[1]} == help && $COMP_CWORD -eq 2 ]]; then
        words=($(_callcost_commands "$program"))
        COMPREPLY=($(compgen -W '${words[*]}' -- "$current"))
        return
    fi
    [[ $COMP_CWORD -ne 2 ]] || words=($(_callcost_commands "$program" "$command"))
    if [[ ${#words[@]} -gt 0 ]]; then
        COMPREPLY=($(compgen -W '${words[*]}' -- "$current"))
        return
    fi
    [[ $command != record || $COMP_CWORD -ne 2 ]] || words=($(_callcost_programs "$program"))
    [[ $COMP_CWORD -ne 1 ]] || words=($(_callcost_commands "$program") help --help --version)
    COMPREPLY=($(compgen -W '${words[*]}' -- "$current") $(compgen -f -- "$current"))
    compopt -o filenames 2>/dev/null
}

complete -F _callcost callcost
