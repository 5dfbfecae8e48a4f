import { singleQuoted } from '../../shell-word.ts';
import type { KnownWords } from '../candidate.ts';

/** Writes the completion script for bash 3.2 and later. */
export function bashScript(known: readonly KnownWords[]): string {
  const cases = known.map(
    ({ after, next }) => `    ${singleQuoted(after)}) known=${singleQuoted(next.map(({ value }) => value).join(' '))} ;;`,
  );
  return `# Completion of svc for bash. Written by svc completion bash; not to be edited.

# What may follow the words of a line, where svc need not be asked: sets known, or fails.
__svc_known() {
  case $1 in
${cases.join('\n')}
    *) return 1 ;;
  esac
}

# Sets typed to the words of the line up to the cursor. bash takes words apart at = : and @; here they are whole again.
__svc_typed() {
  local line=\${COMP_LINE:0:COMP_POINT} rest word i
  typed=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    rest=\${line#"\${line%%[![:space:]]*}"}
    word=\${COMP_WORDS[i]}
    if ((i == COMP_CWORD)); then word=$rest; fi
    if ((i > 0)) && [[ $rest == "$line" ]]; then
      typed[\${#typed[@]}-1]=\${typed[\${#typed[@]}-1]}$word
    else
      typed[\${#typed[@]}]=$word
    fi
    line=\${rest:\${#word}}
  done
}

_svc() {
  local typed known IFS=$' \\t\\n'
  __svc_typed
  local last=$((\${#typed[@]} - 1))
  local raw=\${typed[last]}
  # What of the word bash does not replace, since it took it for another word.
  local before=\${raw%"$2"}
  COMPREPLY=()
  if ((last > 0)) && __svc_known "\${typed[*]:1:last-1}" && [[ $raw != -* ]]; then
    COMPREPLY=($(compgen -W "$known" -- "$raw"))
    if ((\${#COMPREPLY[@]} > 0)); then return; fi
  fi

  local i word quote= plain=()
  for ((i = 1; i <= last; i++)); do
    word=\${typed[i]//\\\\/}
    case $word in \\'* | \\"*) word=\${word:1} ;; esac
    if ((i < last)); then word=\${word%[\\'\\"]}; fi
    plain[i]=$word
  done
  case $raw in \\'*) quote=\\' ;; \\"*) quote=\\" ;; esac

  local line how= values=() abouts=()
  while IFS= read -r line; do
    case $line in
      :*) how=\${line#:} ;;
      *) values[\${#values[@]}]=\${line%%$'\\t'*} abouts[\${#abouts[@]}]=\${line#*$'\\t'} ;;
    esac
  done < <("$1" __complete -- "\${plain[@]}" 2>/dev/null)

  case $how in
    *file=* | *directory=*) __svc_path "\${plain[last]}" "$how" "$before"; return ;;
    *open*) compopt -o nospace 2>/dev/null ;;
  esac

  local count=\${#values[@]} value backslash='\\' apostrophe="'\\\\''"
  # What all of them begin with is filled in: if they are called the same, that is what they are typed by.
  local differ=
  for ((i = 1; i < count; i++)); do
    if [[ \${abouts[i]} != "\${abouts[0]}" ]]; then differ=1; fi
  done
  for ((i = 0; i < count; i++)); do
    value=\${values[i]#"$before"}
    case $quote in
      \\') value=\${value//"$quote"/"$apostrophe"} ;;
      \\") for word in '\\' '"' '$' '\`'; do value=\${value//"$word"/"$backslash$word"}; done ;;
      *)
        printf -v value %q "$value"
        value=\${value//\\\\,/,}
        ;;
    esac
    # Where several fit, bash only lists them, and what they are can stand beside them: 37 and 42 insert them as they are.
    if ((count > 1)) && [[ $COMP_TYPE != 37 && $COMP_TYPE != 42 && -n \${abouts[i]} && $value != -* ]]; then
      if [[ $how == *by-about* && -n $differ ]]; then
        printf -v value '%q  (%s)' "\${abouts[i]}" "$value"
      else
        value="$value  (\${abouts[i]})"
      fi
    fi
    COMPREPLY[i]=$value
  done
}

# Paths that begin with a word, from so many characters on.
__svc_path() {
  local kind=f from=\${2##*=} path
  if [[ $2 == *directory=* ]]; then kind=d; fi
  local kept=\${1:0:from}
  kept=\${kept#"$3"}
  # With -o filenames bash shows and quotes paths as it should, but would take what stands before one for a part of it.
  if [[ -z $kept ]]; then compopt -o filenames 2>/dev/null; fi
  while IFS= read -r path; do
    if [[ -n $kept ]]; then
      if [[ -d $path ]]; then
        path=$path/
        compopt -o nospace 2>/dev/null
      fi
      printf -v path %q "$path"
    fi
    COMPREPLY[\${#COMPREPLY[@]}]=$kept$path
  done < <(compgen -$kind -- "\${1:from}")
}

complete -F _svc svc
`;
}
