# Completion for fish. Commands, options and the words they take are read from `callcost --help` when they are asked
# for, so they are always those of the callcost that is there.

# Of the program or of a command, with what they do.
function __callcost_commands
    env COLUMNS=1000 callcost $argv --help 2>/dev/null | sed -nE '/^(C|Subc)ommands:/,/^$/s/^  ([a-z]+) +(.*)/\1\t\2/p'
end

function __callcost_functions
    callcost top --json --limit 0 --quiet $argv 2>/dev/null | string match -rg '^  \{"function":"((?:[^"\\\\]|\\\\.)*)"'
end

function __callcost_events
    callcost info --json --quiet $argv 2>/dev/null | string match -rg '^  \{"name":"([^"]*)","long_name":'
end

# The programs of the project's callcost.toml, as `record` without one lists them.
function __callcost_programs
    callcost record 2>&1 | string match -rg '^  hint: .*callcost\.toml has: (.*)' | string split ', '
end

# "self, inclusive, called (default) or name"; "exact: the same; fuzzy: whatever comes close"
function __callcost_words
    set -l text (string replace ' (default)' '' -- $argv[1])
    if string match -qr '^[a-z]+: .*; [a-z]+: ' -- $text
        string match -arg '(?:^|; )([a-z]+):' -- $text
    else
        string replace -ra ', | or ' \n -- (string match -rg '((?:[a-z-]+, )*[a-z-]+ or [a-z-]+)' -- $text)
    end
end

# What `diff` writes, from the description of its --output.
function __callcost_reports
    __callcost_words (env COLUMNS=1000 callcost diff --help --all 2>/dev/null | string match -rg '^ *-o, --output (.*)')
end

# What may stand behind an option: __callcost_values OPTION PLACEHOLDER DESCRIPTION FILE...
function __callcost_values
    switch $argv[1]$argv[2]
        case '--event*' '--columns*'
            __callcost_events $argv[4..]
        case '--focus*' '--ignore*' '--hide*' '--root*' '--show*PATTERN*'
            __callcost_functions $argv[4..]
        case '*'
            if string match -q '*DIR*' -- $argv[2]
                __fish_complete_directories
            else if string match -q '*FORMAT=*FILE*' -- $argv[2]
                set -l format (string match -r '^[a-z-]+=' -- (commandline -ct))
                if test -n "$format"
                    __fish_complete_path (string replace -- $format '' (commandline -ct)) | string replace -r -- '^' $format
                else
                    string replace -r '$' = -- (__callcost_reports)
                    __fish_complete_path $current
                end
            else if test $argv[1] = --format; and string match -q 'format of standard output*' -- $argv[3]
                __callcost_reports
            else if string match -q '*FILE*' -- $argv[2]
                __fish_complete_path $current
            else if string match -q '*|*' -- $argv[2]
                string split '|' -- (string replace -ra '[][= ]' '' -- $argv[2])
            else
                __callcost_words $argv[3]
            end
    end
end

function __callcost_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l names (__callcost_commands | cut -f 1)
    set -l command top
    contains -- "$before[2]" $names; and set command $before[2]
    set -l files
    for word in $before[2..]
        test -f "$word"; and set -a files $word
    end

    set -l inline (string match -rg '^(--[a-z-]+)=' -- $current)
    for line in (env COLUMNS=1000 callcost $command --help --all 2>/dev/null |
        sed -nE 's/^  (-([a-zA-Z]), )?(--[a-z-]+)(\[=[^]]*\]| [^ ]*[A-Z|][^ ]*)? +(.*)/\3\x01\2\x01\4\x01\5/p')
        set -l fields (string split \x01 -- $line)
        set -l option $fields[1]
        if test "$inline" = $option
            string replace -r -- '^' "$option=" (__callcost_values $option "$fields[3]" "$fields[4]" $files)
            return
        end
        if contains -- "$before[-1]" $option "-$fields[2]"; and string match -q ' *' -- "$fields[3]"
            __callcost_values $option "$fields[3]" "$fields[4]" $files
            return
        end
        if string match -q -- '-*' "$current"
            printf '%s\t%s\n' $option "$fields[4]"
        end
    end
    if string match -q -- '-*' "$current"
        printf '%s\n' --help
        return
    end

    if contains -- "$command" peek asm; and test (count $before) -eq 2
        __callcost_functions $files
        return
    end
    if test "$before[2]" = help -a (count $before) -eq 2
        __callcost_commands
        return
    end
    if test (count $before) -eq 2
        set -l subcommands (__callcost_commands $command)
        if set -q subcommands[1]
            printf '%s\n' $subcommands
            return
        end
    end
    if test "$command" = record -a (count $before) -eq 2
        __callcost_programs
    end
    if test (count $before) -eq 1
        __callcost_commands
        printf '%s\n' help
    end
    __fish_complete_path $current
end

complete -c callcost -f -a '(__callcost_complete)'
