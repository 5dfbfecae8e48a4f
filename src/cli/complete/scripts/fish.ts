import type { Candidate, KnownWords } from '../candidate.ts';

export function fishScript(known: readonly KnownWords[]): string {
  const cases = known.map(
    ({ after, next }) => `        case ${fishQuoted(after)}\n            printf '%s\\t%s\\n' ${next.map(pair).join(' ')}`,
  );
  return `# Completion of svc for fish. Written by svc completion fish; not to be edited.

# Prints the words that can follow a line, if this script knows them. Otherwise fails, and svc completes the line.
function __svc_known
    switch "$argv"
${cases.join('\n')}
        case '*'
            return 1
    end
end

function __svc_complete
    set -l before (commandline -opc)
    set -l command $before[1]
    set -e before[1]
    # fish cannot unescape a word with an open quote, so this line removes the quote.
    set -l raw (commandline -ct)
    set -l current (string unescape -- "$raw"; or string replace -r '^["\\']' '' -- "$raw")
    if not string match -q -- '-*' "$current"
        set -l known (__svc_known $before)
        set -q known[1]; and printf '%s\\n' $known
        # A word that fits no known word can be an alias.
        if string match -qr -- '^'(string escape --style=regex -- "$current") $known
            return
        end
    end

    set -l lines ($command __complete -- $before "$current" 2>/dev/null)
    set -l how $lines[-1]
    set -e lines[-1]
    switch "$how"
        case '*file=*' '*directory=*'
            set -l from (string replace -r '.*=' '' -- $how)
            set -l kept (string sub -l $from -- "$current")
            set -l path (string sub -s (math $from + 1) -- "$current")
            if string match -q '*directory=*' -- $how
                set lines (__fish_complete_directories "$path" '')
            else
                set lines (__fish_complete_path "$path" '')
            end
            for line in $lines
                echo -- $kept$line
            end
        case '*'
            printf '%s\\n' $lines
    end
end

complete -c svc -f -k -a '(__svc_complete)'
`;
}

function pair({ value, about }: Candidate): string {
  return `${value} ${fishQuoted(about)}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
