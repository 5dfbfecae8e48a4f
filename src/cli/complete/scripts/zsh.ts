import { singleQuoted } from '../../shell-word.ts';
import type { Candidate, KnownWords } from '../candidate.ts';

export function zshScript(known: readonly KnownWords[]): string {
  const cases = known.map(({ after, next }) => `    (${singleQuoted(after)}) lines=(\n${next.map(line).join('\n')}\n    ) ;;`);
  return `#compdef svc
# Completion of svc for zsh. Written by svc completion zsh; not to be edited.

# Sets lines to the words that can follow a line, if this script knows them. Otherwise fails, and svc completes the line.
__svc_known() {
  case $1 in
${cases.join('\n')}
    (*) return 1 ;;
  esac
}

_svc() {
  setopt localoptions extendedglob
  local current=\${(Q)PREFIX} how= item about
  local -a before lines shown more
  before=("\${(@Q)words[2,CURRENT-1]}")
  if [[ $current == -* ]] || ! __svc_known "\${(j: :)before}" || (( ! \${#\${(M)lines:#\${(b)current}*}} )); then
    lines=("\${(@f)$("\${(Q)words[1]}" __complete -- "\${before[@]}" "$current" 2>/dev/null)}")
    how=\${lines[-1]#:}
    lines[-1]=()
  fi

  case $how in
    (*directory=*) compset -p \${how##*=}; _files -/; return ;;
    (*file=*) compset -p \${how##*=}; _files; return ;;
    (*open*) more+=(-S '') ;;
    (*any-case*) more+=(-M 'm:{[:lower:]}={[:upper:]}') ;;
    # No candidate begins with the word, so zsh replaces the word by the first candidate.
    (*by-about*) more+=(-U); compstate[insert]=menu ;;
  esac

  for item in $lines; do
    about=\${item#*$'\\t'}
    item=\${item%%$'\\t'*}
    shown+=("\${item//(#m)[:\\\\]/\\\\$MATCH}\${about:+:$about}")
  done
  (( $#shown )) && _describe -t svc 'svc' shown "\${more[@]}"
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _svc "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _svc svc
fi
`;
}

function line({ value, about }: Candidate): string {
  return `      $${singleQuoted(`${value}\\t${about.replaceAll('\\', '\\\\')}`).replaceAll("'\\''", "\\'")}`;
}
