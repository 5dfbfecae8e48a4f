# Completion of svc for bash. Written by svc completion bash; not to be edited.

# Sets known to the words that can follow a line, if this script knows them. Otherwise fails, and svc completes the line.
__svc_known() {
  case $1 in
    '') known='worklogs timers work-items subtasks work-item-links labels tasks sprints projects project-links budgets budget-groups customers contacts contact-roles customer-categories sales-invoices sales-invoice-rows invoices customer-subscriptions subscription-items subscription-types subscription-type-items subscription-products absences holidays free-days checkins furlough-balance-mutations events drive-items drive-folders drive-documents notes todos users company-branches workflows workflow-statuses workflow-transitions work-types status week report billing check close login logout auth policy token me resources schema export sync sql search changes limits open api outbox history apply plan undo config alias completion commands skill version doctor sandbox help' ;;
    'worklogs') known='list get add import update edit delete copy suggest' ;;
    'timers') known='list get create import update edit delete start continue status stop switch cancel' ;;
    'work-items') known='list get create import update edit delete transition move attach subtasks links comments attachments' ;;
    'work-items subtasks') known='list create import' ;;
    'work-items links') known='list create import' ;;
    'work-items comments') known='list get create import update edit delete' ;;
    'work-items attachments') known='list get delete' ;;
    'subtasks') known='list get create import update edit delete' ;;
    'work-item-links') known='list get create import update edit delete' ;;
    'labels') known='list get create import update edit delete' ;;
    'tasks') known='list get create import update edit delete' ;;
    'sprints') known='list get create import update edit delete complete burndown' ;;
    'projects') known='list get create import update edit delete' ;;
    'project-links') known='list get create import update edit delete' ;;
    'budgets') known='list get create import update edit delete burn' ;;
    'budget-groups') known='list get create import update edit delete' ;;
    'customers') known='list get create import update edit delete' ;;
    'contacts') known='list get create import update edit delete' ;;
    'contact-roles') known='list get create import update edit delete' ;;
    'customer-categories') known='list get create import update edit delete' ;;
    'sales-invoices') known='list get create import update edit delete rows' ;;
    'sales-invoices rows') known='list create import' ;;
    'sales-invoice-rows') known='list get create import update edit delete' ;;
    'invoices') known='list get create import update edit delete' ;;
    'customer-subscriptions') known='list get create import update edit delete items' ;;
    'customer-subscriptions items') known='list create import' ;;
    'subscription-items') known='list get create import update edit delete' ;;
    'subscription-types') known='list get create import update edit delete items' ;;
    'subscription-types items') known='list create import' ;;
    'subscription-type-items') known='list get create import update edit delete' ;;
    'subscription-products') known='list get create import update edit delete' ;;
    'absences') known='list get create import update edit delete add who calendar used' ;;
    'holidays') known='list get create import update edit delete' ;;
    'free-days') known='list get create import update edit delete' ;;
    'checkins') known='list get create import update edit delete' ;;
    'furlough-balance-mutations') known='list get create import update edit delete' ;;
    'events') known='list get create import update edit delete' ;;
    'drive-items') known='list get create import update edit delete upload download files comments' ;;
    'drive-items files') known='list get delete' ;;
    'drive-items comments') known='list get create import update edit delete' ;;
    'drive-folders') known='list get create import update edit delete' ;;
    'drive-documents') known='list get create import update edit delete' ;;
    'notes') known='list get create import update edit delete' ;;
    'todos') known='list get create import update edit delete' ;;
    'users') known='list get create import update edit delete capacity' ;;
    'company-branches') known='list get create import update edit delete' ;;
    'workflows') known='list get create import update edit delete apply' ;;
    'workflow-statuses') known='list get create import update edit delete' ;;
    'workflow-transitions') known='list get create import update edit delete' ;;
    'work-types') known='list get create import update edit delete' ;;
    'billing') known='unbilled draft' ;;
    'auth') known='status switch refresh print-token' ;;
    'policy') known='set show remove' ;;
    'token') known='set status remove' ;;
    'schema') known='import forget show diff export' ;;
    'outbox') known='list send drop' ;;
    'plan') known='show check' ;;
    'config') known='get set unset list edit path' ;;
    'alias') known='set list delete' ;;
    'skill') known='show install' ;;
    *) return 1 ;;
  esac
}

# Sets typed to the words of the line up to the cursor. bash splits words at = : and @, so this function joins them.
__svc_typed() {
  local line=${COMP_LINE:0:COMP_POINT} rest word i
  typed=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    rest=${line#"${line%%[![:space:]]*}"}
    word=${COMP_WORDS[i]}
    if ((i == COMP_CWORD)); then word=$rest; fi
    if ((i > 0)) && [[ $rest == "$line" ]]; then
      typed[${#typed[@]}-1]=${typed[${#typed[@]}-1]}$word
    else
      typed[${#typed[@]}]=$word
    fi
    line=${rest:${#word}}
  done
}

_svc() {
  local typed known IFS=$' \t\n'
  __svc_typed
  local last=$((${#typed[@]} - 1))
  local raw=${typed[last]}
  # The part of the word that bash does not replace, because bash split the word.
  local before=${raw%"$2"}
  COMPREPLY=()
  if ((last > 0)) && __svc_known "${typed[*]:1:last-1}" && [[ $raw != -* ]]; then
    COMPREPLY=($(compgen -W "$known" -- "$raw"))
    if ((${#COMPREPLY[@]} > 0)); then return; fi
  fi

  local i word quote= plain=()
  for ((i = 1; i <= last; i++)); do
    word=${typed[i]//\\/}
    case $word in \'* | \"*) word=${word:1} ;; esac
    if ((i < last)); then word=${word%[\'\"]}; fi
    plain[i]=$word
  done
  case $raw in \'*) quote=\' ;; \"*) quote=\" ;; esac

  local line how= values=() abouts=()
  while IFS= read -r line; do
    case $line in
      :*) how=${line#:} ;;
      *) values[${#values[@]}]=${line%%$'\t'*} abouts[${#abouts[@]}]=${line#*$'\t'} ;;
    esac
  done < <("$1" __complete -- "${plain[@]}" 2>/dev/null)

  case $how in
    *file=* | *directory=*) __svc_path "${plain[last]}" "$how" "$before"; return ;;
    *open*) compopt -o nospace 2>/dev/null ;;
  esac

  local count=${#values[@]} value backslash='\' apostrophe="'\\''"
  # bash fills in the common start of all candidates. If all explanations are equal, the values must come first.
  local differ=
  for ((i = 1; i < count; i++)); do
    if [[ ${abouts[i]} != "${abouts[0]}" ]]; then differ=1; fi
  done
  for ((i = 0; i < count; i++)); do
    value=${values[i]#"$before"}
    case $quote in
      \') value=${value//"$quote"/"$apostrophe"} ;;
      \") for word in '\' '"' '$' '`'; do value=${value//"$word"/"$backslash$word"}; done ;;
      *)
        printf -v value %q "$value"
        value=${value//\\,/,}
        ;;
    esac
    # bash only lists several candidates, so each can have its explanation. The types 37 and 42 insert candidates, without explanations.
    if ((count > 1)) && [[ $COMP_TYPE != 37 && $COMP_TYPE != 42 && -n ${abouts[i]} && $value != -* ]]; then
      if [[ $how == *by-about* && -n $differ ]]; then
        printf -v value '%q  (%s)' "${abouts[i]}" "$value"
      else
        value="$value  (${abouts[i]})"
      fi
    fi
    COMPREPLY[i]=$value
  done
}

# Lists the paths that begin with a word, after a number of characters.
__svc_path() {
  local kind=f from=${2##*=} path
  if [[ $2 == *directory=* ]]; then kind=d; fi
  local kept=${1:0:from}
  kept=${kept#"$3"}
  # -o filenames shows and quotes paths correctly, but treats text before a path as a part of the path.
  if [[ -z $kept ]]; then compopt -o filenames 2>/dev/null; fi
  while IFS= read -r path; do
    if [[ -n $kept ]]; then
      if [[ -d $path ]]; then
        path=$path/
        compopt -o nospace 2>/dev/null
      fi
      printf -v path %q "$path"
    fi
    COMPREPLY[${#COMPREPLY[@]}]=$kept$path
  done < <(compgen -$kind -- "${1:from}")
}

complete -F _svc svc
