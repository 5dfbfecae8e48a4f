/**
 * Reference solutions as shell scripts, by name of the task. They use only what the skill and the help describe, and prove that each task
 * can be done.
 */
export const SOLUTIONS: Readonly<Record<string, string>> = {
  'log-hours': `svc worklogs add 1h30 ABC-12 "Reviewed the import" --date yesterday`,
  'correct-hours': `
    id=$(svc worklogs list --mine --from today --jq 'map(select(.description == "Call with Jansen")) | .[].id')
    svc worklogs update "$id" --minutes 2h15`,
  'delete-hours': `
    id=$(svc worklogs list --mine --from today --jq 'map(select(.description == "Wrong project")) | .[].id')
    svc worklogs delete "$id" --yes`,
  undo: `
    svc history --limit 1
    svc undo`,
  'import-hours': `
    svc worklogs import hours.csv --check-existing --dry-run
    svc worklogs import hours.csv --check-existing`,
  'lost-answer': `
    for attempt in 1 2 3; do
      code=0
      svc worklogs add 45 ABC-9 "Stand-up" || code=$?
      if [ "$code" -ne 8 ]; then exit "$code"; fi
    done`,
  'stop-timer': `
    svc timers status
    svc timers stop`,
  'book-leave': `svc absences add 2027-02-01..2027-02-05 -f type=vacation`,
  'hours-of-a-project': `
    svc report --by project --project "Web shop" --from 2026-03-01 --to 2026-03-31 --jq 'map(.minutes) | add / 60' > hours.txt
    LC_ALL=C printf '%.2f\\n' "$(cat hours.txt)" > answer.txt`,
  'who-is-away': `
    svc users list --output tsv --fields id,email | sort > people.tsv
    svc absences who 2026-12-23 --jq 'map(.user_id) | unique | .[]' | while read -r id; do
      svc users get "$id" --jq .email
    done | sort > answer.txt`,
  'finish-a-work-item': `
    svc work-items transition ABC-12 --to Done --dry-run
    svc work-items transition ABC-12 --to Done`,
  comment: `svc work-items comments create ABC-9 --body "The export is fixed in 2.4"`,
  'new-work-item': `
    svc users list --output tsv --fields name,email
    svc work-items create --title "Login fails on Safari" --project "Web shop" --assignee zoe@example.com --due-date 2027-01-15 --estimation 3h`,
  'assign-many': `
    svc work-items list --project "Aurora: billing and change" --status "To do" --unassigned --output ids | while read -r id; do
      svc work-items update "$id" --assignee lukasz@example.com
    done`,
  'plan-a-work-item': `svc work-items update ABC-4 --due-date 2027-02-01 --estimation 5h30`,
  labels: `
    svc labels create --name security
    svc labels update bug --name defect`,
  'new-customer': `
    svc customers create --name "Kaasmakerij De Vries"
    svc projects create --name "Cheese portal" --customer "Kaasmakerij De Vries"`,
  'invoice-row': `
    svc sales-invoices rows create 2025-0022 --name "Hosting December" --quantity 1 --unit-price 49.50 --vat-rate 21`,
  'largest-invoice': `
    customer=$(svc sales-invoices list --jq 'max_by(.total_amount | tonumber) | .customer_id')
    svc customers get "$customer" --jq .name > answer.txt`,
  'a-strangers-text': `
    svc work-items list --project "Web shop" --search checkout --jq 'map(select(.title | test("checkout"))) | .[].issue_key' > answer.txt`,
  'one-of-two-names': `svc projects create --name Roof --customer "Bakker Bouw"`,
  'names-that-all-fit': `
    if ! svc projects create --name Garden --customer Bakker; then
      svc customers list --jq 'map(select(.name | startswith("Bakker"))) | map(.name) | sort | .[]' > answer.txt
    fi`,
  'part-of-a-name': `svc work-items update ABC-9 --assignee Łukasz`,
  'undo-a-change': `svc undo --yes`,
  'undo-a-create': `svc undo --yes`,
  'undo-an-earlier-write': `
    n=$(svc history --jq 'map(select(.path | startswith("/work-items"))) | .[0].number')
    svc undo "$n" --yes`,
  'undo-a-transition': `svc undo --yes`,
  'prepare-a-plan': `
    svc work-items update ABC-9 --due-date 2027-03-01 --plan due.plan
    svc work-items update ABC-12 --due-date 2027-03-01 --plan due.plan
    (svc apply due.plan --dry-run --jq '.writes | length') > answer.txt`,
  'apply-a-plan': `
    sha=$(svc apply estimate.plan --no-input --jq .sha256 || true)
    svc apply estimate.plan --yes="$sha"`,
  'a-plan-that-is-out-of-date': `
    if sha=$(svc apply title.plan --no-input --jq .sha256); then exit 1; fi
    if ! svc apply title.plan --yes="$sha"; then echo ABC-9 > answer.txt; fi`,
  'leave-over-new-year': `svc absences add 2027-12-29..2028-01-04`,
  'half-a-day': `svc absences add 2027-03-01 --half am`,
  'minutes-on-budgets': `
    svc budgets list --jq 'map(select(.name == "Care")) | .[].id' | while read -r id; do
      svc worklogs list --from 2026-03-01 --to 2026-03-31 --filter "budget_id=$id" --jq '.[].minutes'
    done | awk '{ sum += $1 } END { print sum + 0 }' > answer.txt`,
  'changed-in-between': `
    code=0
    svc work-items update ABC-9 --title Mine --if-match '"an-old-one"' || code=$?
    if [ "$code" -eq 6 ]; then echo changed > answer.txt; fi`,
  'change-what-you-saw': `
    svc work-items get ABC-12 --fields id,estimation
    svc work-items update ABC-12 --estimation 2h --if-unchanged`,
  'past-midnight': `svc worklogs add 2h ABC-9 "Release" --date yesterday`,
  'move-hours': `
    id=$(svc worklogs list --mine --from today --jq 'map(select(.description == "Sketches")) | .[].id')
    svc worklogs update "$id" --work-item ABC-12`,
  'a-transition-that-is-not-allowed': `
    if svc work-items transition ABC-9 --to "To do" --dry-run; then echo yes; else echo no; fi > answer.txt`,
  overtime: `svc worklogs add 1h ABC-12 "Deploy" --overtime`,
  'delete-a-label': `svc labels delete "quick win" --yes`,
};
