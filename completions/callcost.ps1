# Completion for PowerShell. Commands, options and the words they take are read from `callcost --help` when they are
# asked for, so they are always those of the callcost that is there. Where nothing is offered, PowerShell offers files.

Register-ArgumentCompleter -Native -CommandName callcost -ScriptBlock {
    param($typed, $line, $cursor)

    # tests/completions.py tries them on all help texts.
    $commandRow = '^  ([a-z]+) +(.*)'
    $optionRow = '^  (?:-([a-zA-Z]), )?(--[a-z-]+)(\[=[^\]]*\]| [^ ]*[A-Z|][^ ]*)? +(.*)'
    # "self, inclusive, called (default) or name"; "exact: the same; fuzzy: whatever comes close"
    $listed = '(?:[a-z-]+, )*[a-z-]+ or [a-z-]+'
    $explained = '^[a-z]+: .*; [a-z]+: '
    $explainedWord = '(?:^|; )([a-z]+):'

    $program = $line.CommandElements[0].Value
    $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })

    # The help of the program or of a command, with each option on one line.
    $help = {
        $columns = $env:COLUMNS
        $env:COLUMNS = 1000
        try { & $program @args --help --all 2>$null } finally { $env:COLUMNS = $columns }
    }
    $commandsOf = {
        param($rows)
        $isList = $false
        foreach ($row in $rows) {
            if ($row -cmatch '^(C|Subc)ommands:') { $isList = $true } elseif (-not $row) { $isList = $false }
            if ($isList -and $row -cmatch $commandRow) { , @($Matches[1], $Matches[2]) }
        }
    }
    $offer = {
        param($text, $tip)
        if ($text.StartsWith($typed, [StringComparison]::Ordinal)) {
            if (-not $tip) { $tip = $text }
            [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $tip)
        }
    }
    # The words that may stand behind an option.
    $wordsOf = {
        param($placeholder, $text)
        $text = $text.Replace(' (default)', '')
        if ($placeholder -cmatch 'DIR|FILE|EVENT|PATTERN') { return }
        if ($placeholder.Contains('|')) { return $placeholder.Trim('[', ']', '=', ' ') -split '\|' }
        if ($text -cmatch $explained) { return [regex]::Matches($text, $explainedWord) | ForEach-Object { $_.Groups[1].Value } }
        if ($text -cmatch $listed) { $Matches[0] -split ', | or ' }
    }

    $commands = @(& $commandsOf (& $help))
    $isOption = $typed.StartsWith('-')
    if (($before.Count -eq 1 -and -not $isOption) -or ($before.Count -eq 2 -and $before[1] -ceq 'help')) {
        foreach ($row in $commands) { & $offer $row[0] $row[1] }
        return
    }
    $isCommand = $before.Count -gt 1 -and @($commands | ForEach-Object { $_[0] }) -ccontains $before[1]
    $command = if ($isCommand) { $before[1] } else { 'top' }
    $rows = & $help $command

    if ($before.Count -eq 2 -and -not $isOption) {
        foreach ($row in @(& $commandsOf $rows)) { & $offer $row[0] $row[1] }
        return
    }
    $inline = if ($typed -cmatch '^(--[a-z-]+)=') { $Matches[1] }
    foreach ($row in $rows) {
        if (-not ($row -cmatch $optionRow)) { continue }
        $letter, $option, $placeholder, $text = $Matches[1], $Matches[2], "$($Matches[3])", $Matches[4]
        if ($inline -ceq $option) {
            foreach ($word in @(& $wordsOf $placeholder $text)) { & $offer "$option=$word" }
            return
        }
        $isBehind = $before[-1] -ceq $option -or ($letter -and $before[-1] -ceq "-$letter")
        if ($isBehind -and $placeholder.StartsWith(' ')) {
            foreach ($word in @(& $wordsOf $placeholder $text)) { & $offer $word }
            return
        }
        if ($isOption) { & $offer $option $text }
    }
    if ($isOption) { & $offer '--help' }
}
