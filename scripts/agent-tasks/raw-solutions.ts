/**
 * The last twenty tasks without svc, as shell scripts by name of the task. `api METHOD /path [--jq expr] [curl arguments]` sends a request and
 * prints the answer, or the part of it that the expression chooses. `kept N /list ID` prints a record as it was before the setup command N:
 * the service keeps no former values, so whoever wants to undo a write must have read the record before. `show FILE` prints a file.
 */
export const RAW_SOLUTIONS: Readonly<Record<string, string>> = {
  'one-of-two-names': `
    id=$(api GET '/customers?per_page=100' --jq '.data[] | select(.name | test("Bakker")) | "\\(.id) \\(.name)"' | awk '/Bouw/ { print $1 }')
    api POST /projects -d "{\\"name\\":\\"Roof\\",\\"customer_id\\":$id}"`,
  'names-that-all-fit': `
    api GET '/customers?per_page=100' --jq '.data[].name | select(startswith("Bakker"))' | sort > answer.txt`,
  'part-of-a-name': `
    id=$(api GET '/users?per_page=100' --jq '.data[] | select(.name | test("ukasz")) | "\\(.id) \\(.name)"' | cut -d' ' -f1)
    api PATCH /work-items/ABC-9 -d "{\\"assignee_id\\":$id}"`,
  'undo-a-change': `
    me=$(api GET /me --jq .data.id)
    id=$(api GET "/worklogs?filter[user_id]=$me&sort=-id&per_page=1" --jq '.data[0].id')
    minutes=$(kept 1 /worklogs "$id" | jq .minutes)
    api PATCH "/worklogs/$id" -d "{\\"minutes\\":$minutes}"`,
  'undo-a-create': `
    id=$(api GET '/labels?sort=-id&per_page=1' --jq '.data[0] | "\\(.id) \\(.name)"' | cut -d' ' -f1)
    api DELETE "/labels/$id"`,
  'undo-an-earlier-write': `
    due=$(kept 0 /work-items 12 | jq .due_date)
    api PATCH /work-items/ABC-12 -d "{\\"due_date\\":$due}"`,
  'undo-a-transition': `
    status=$(kept 0 /work-items 9 | jq .workflow_status_id)
    api POST /work-items/ABC-9/actions/transition -d "{\\"workflow_status_id\\":$status}"`,
  'prepare-a-plan': `
    for key in ABC-9 ABC-12; do
      etag=$(api GET "/work-items/$key" -D - -o answer.json | tr -d '\\r' | awk 'tolower($1) == "etag:" { print $2 }')
      echo "PATCH /work-items/$key If-Match: $etag {\\"due_date\\":\\"2027-03-01\\"}" >> due.plan
    done
    rm answer.json
    wc -l < due.plan | tr -d ' ' > answer.txt`,
  'apply-a-plan': `
    line=$(show estimate.plan | grep '"method"')
    api PATCH "$(echo "$line" | jq -r .path | sed 's#^/api/v2##')" -H "If-Match: $(echo "$line" | jq -r .if_match)" -d "$(echo "$line" | jq -r .body)"`,
  'a-plan-that-is-out-of-date': `
    line=$(show title.plan | grep '"method"')
    path=$(echo "$line" | jq -r .path | sed 's#^/api/v2##')
    api PATCH "$path" -H "If-Match: $(echo "$line" | jq -r .if_match)" -d "$(echo "$line" | jq -r .body)" | grep -q precondition-failed
    api GET "$path" --jq .data.issue_key > answer.txt`,
  'leave-over-new-year': `
    api GET /me --jq '.data | .id, .timezone, .working_hours'
    api POST /absences -d '{"user_id":1,"type":"vacation","start":"2027-12-28T23:00:00Z","end":"2028-01-04T23:00:00Z"}'`,
  'half-a-day': `
    api GET /me --jq '.data | .id, .timezone, .working_hours'
    api POST /absences -d '{"user_id":1,"type":"vacation","start":"2027-03-01T08:00:00Z","end":"2027-03-01T12:00:00Z"}'`,
  'minutes-on-budgets': `
    api GET '/budgets?per_page=100' --jq '.data[] | select(.name == "Care") | .id' > ids
    for id in $(cat ids); do
      next="/worklogs?filter[budget_id]=$id&filter[date][gte]=2026-03-01&filter[date][lte]=2026-03-31&per_page=100"
      while [ "$next" != null ]; do
        api GET "$next" --jq '([.data[].minutes] | add // 0), (.links.next // "null" | sub("^.*/api/v2"; ""))' > page
        head -n 1 page >> sums
        next=$(tail -n 1 page)
      done
    done
    awk '{ sum += $1 } END { print sum + 0 }' sums > answer.txt`,
  'changed-in-between': `
    api PATCH /work-items/ABC-9 -H 'If-Match: "an-old-one"' -d '{"title":"Mine"}' | grep -q precondition-failed
    echo changed > answer.txt`,
  'change-what-you-saw': `
    etag=$(api GET /work-items/ABC-12 -D - | tr -d '\\r' | awk 'tolower($1) == "etag:" { print $2 }')
    api PATCH /work-items/ABC-12 -H "If-Match: $etag" -d '{"estimation":120}'`,
  'past-midnight': `
    id=$(api GET /work-items/ABC-9 --jq .data.id)
    api GET /me --jq .data.timezone
    day=$(TZ=Europe/Amsterdam date -d yesterday +%F)
    api POST /worklogs -d "{\\"date\\":\\"$day\\",\\"minutes\\":120,\\"work_item_id\\":$id,\\"description\\":\\"Release\\"}"`,
  'move-hours': `
    me=$(api GET /me --jq .data.id)
    id=$(api GET "/worklogs?filter[user_id]=$me&filter[date][gte]=$(TZ=Europe/Amsterdam date +%F)&per_page=100" --jq '.data[] | select(.description == "Sketches") | .id')
    item=$(api GET /work-items/ABC-12 --jq .data.id)
    api PATCH "/worklogs/$id" -d "{\\"work_item_id\\":$item}"`,
  'a-transition-that-is-not-allowed': `
    from=$(api GET /work-items/ABC-9 --jq .data.workflow_status_id)
    to=$(api GET '/workflow-statuses?per_page=100' --jq '.data[] | select(.name == "To do") | .id')
    api GET '/workflow-transitions?per_page=100' --jq "[.data[] | select(.from_status_id == $from and .to_status_id == $to)] | length" > count
    if [ "$(cat count)" -gt 0 ]; then echo yes; else echo no; fi > answer.txt`,
  overtime: `
    id=$(api GET /work-items/ABC-12 --jq .data.id)
    day=$(TZ=Europe/Amsterdam date +%F)
    api POST /worklogs -d "{\\"date\\":\\"$day\\",\\"minutes\\":60,\\"work_item_id\\":$id,\\"description\\":\\"Deploy\\",\\"is_overtime\\":true}"`,
  'delete-a-label': `
    id=$(api GET '/labels?per_page=100' --jq '.data[] | select(.name == "quick win") | .id')
    api DELETE "/labels/$id"`,
};
