import type { Candidate, KnownWords } from '../candidate.ts';

/** Returns the completion script for PowerShell and Windows PowerShell 5.1. */
export function powershellScript(known: readonly KnownWords[]): string {
  const entries = known.map(({ after, next }) => `    ${psQuoted(after)} = @(${next.map(pair).join(', ')})`);
  return `# Completion of svc for PowerShell. Written by svc completion powershell; not to be edited.

# The words that can follow a line, without a call of svc.
$__svcKnown = @{
${entries.join('\n')}
}

Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # The words before the cursor. Some versions of PowerShell pass no empty argument to a program, so svc gets --empty instead.
    $before = @($commandAst.CommandElements |
        Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.ToString().Trim('"', "'") })
    $current = "$wordToComplete".Trim('"', "'")
    $lines = $null
    $how = ''
    if (-not $current.StartsWith('-')) { $lines = $__svcKnown["$before"] }
    # A word that fits no known word can be an alias.
    if ($null -ne $lines -and @($lines | Where-Object { $_.StartsWith($current) }).Count -eq 0) { $lines = $null }
    if ($null -eq $lines) {
        $encoding = [Console]::OutputEncoding
        try {
            [Console]::OutputEncoding = [System.Text.Encoding]::UTF8
            if ($current -eq '') { $lines = @(& svc __complete --empty -- @before 2>$null) }
            else { $lines = @(& svc __complete -- @before $current 2>$null) }
        } finally {
            [Console]::OutputEncoding = $encoding
        }
        if ($lines.Count -eq 0) { return }
        $how = $lines[-1]
        $lines = @($lines | Select-Object -SkipLast 1)
    }

    if ($how -match '(file|directory)=(\\d+)') {
        $kind = $Matches[1]
        $kept = $current.Substring(0, [int]$Matches[2])
        [System.Management.Automation.CompletionCompleters]::CompleteFilename($current.Substring($kept.Length)) |
            Where-Object { $kind -eq 'file' -or $_.ResultType -eq 'ProviderContainer' } |
            ForEach-Object {
                [System.Management.Automation.CompletionResult]::new("$kept$($_.CompletionText)", $_.ListItemText, $_.ResultType, $_.ToolTip)
            }
        return
    }

    foreach ($line in $lines) {
        $value, $about = $line -split "\`t", 2
        if ($how -notmatch 'by-about' -and -not $value.StartsWith($current, [StringComparison]::OrdinalIgnoreCase)) { continue }
        $text = $value
        if ($value -match '[^\\w.:/=,@+-]') { $text = "'" + $value.Replace("'", "''") + "'" }
        if (-not $about) { $about = $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $about)
    }
}
`;
}

function pair({ value, about }: Candidate): string {
  // PowerShell writes a tab as a backtick and a t, within double quotes.
  return `(${psQuoted(value)} + "\`t" + ${psQuoted(about)})`;
}

/** Quotes a string for PowerShell. PowerShell also accepts typographic quotes (U+2018 to U+201B) as quotes. */
function psQuoted(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
}
