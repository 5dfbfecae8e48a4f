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
};
