# Completion of svc for fish. Written by svc completion fish; not to be edited.

# Prints the words that can follow a line, if this script knows them. Otherwise fails, and svc completes the line.
function __svc_known
    switch "$argv"
        case ''
            printf '%s\t%s\n' worklogs 'Logged hours' timers 'Running timers' work-items 'The backlog: stories, bugs and tasks on the board' subtasks 'Subtasks of a work item' work-item-links 'Links from one work item to another' labels 'Labels of work items' tasks 'Tasks of the kanban board' sprints 'Sprints: planned, running and completed' projects 'Projects' project-links 'Web addresses of projects' budgets 'Time budgets of projects' budget-groups 'Groups that budgets belong to' customers 'Customers that projects are billed to' contacts 'Contacts at customers, and emergency contacts' contact-roles 'Roles of contacts at customers' customer-categories 'Categories of customers' sales-invoices 'Invoices to customers' sales-invoice-rows 'The rows of sales invoices' invoices 'Older invoices, each for one project' customer-subscriptions 'Subscriptions that customers pay for regularly' subscription-items 'Items of the subscriptions of customers' subscription-types 'Types of subscription that you offer' subscription-type-items 'Items of the subscription types' subscription-products 'Products in subscriptions' absences 'Sick leave, holidays and other absences of people' holidays 'Public holidays' free-days 'Days on which nobody needs to work' checkins 'Daily checkins' furlough-balance-mutations 'Changes of people’s leave balances' events 'Events of the calendar' drive-items 'Files, documents and notes in the drives' drive-folders 'Folders of the drives' drive-documents 'Documents that people write in the drives' notes 'Notes' todos 'Personal tasks' users 'People of the organisation' company-branches 'Branches of the company' workflows 'Workflows: the statuses of work items and the transitions between them' workflow-statuses 'The statuses of workflows' workflow-transitions 'Transitions that workflows allow' work-types 'Kinds of work' status 'Show your day: hours, running timer, work items, who is away' week 'Show your week as a grid, with missing hours' report 'Add up hours by customer, project, budget, label, person, week and more' billing 'Show unbilled hours, and create an invoice for these hours' check 'Find problems in the hours of a month, and the commands that fix them' close 'Seal the hours of a month, and find later changes' login 'Sign in with the browser' logout 'Sign out: revoke the sign-in, and delete its tokens' auth 'Manage sign-ins: status, switch, refresh, print a token' policy 'Limit what svc may write' token 'Manage the personal access token, which deleting needs' me 'Show the user that you are signed in as' resources 'List the resources of your organisation' schema 'Import and show the API spec (OpenAPI) of your organisation' export 'Save every resource, or some, into files' sync 'Keep a local database of the records that you can see' sql 'Query the local database with SQL' search 'Find records by the words in them' changes 'Show which records were created, updated and deleted since the last run' limits 'Show how much of the rate limit is left' open 'Open a record in the browser' api 'Send any request with your sign-in' outbox 'Show and send writes that wait or are unconfirmed' history 'List your writes from this machine' apply 'Send the writes of a plan, made with --plan' plan 'Show and check a plan, made with --plan' undo 'Undo your last write, or an earlier write' config 'Read and change settings: default host, output, time zone …' alias 'Define short names for longer commands' completion 'Complete svc in your shell' commands 'Print every command as data, for programs and agents' skill 'Show and install instructions for agents' version 'Print the version of svc' doctor 'Check the settings, the connection and your sign-in' sandbox 'Run a sandbox: the service on this machine, with made-up data' help 'Help for any command'
        case 'worklogs'
            printf '%s\t%s\n' list 'List worklogs' get 'Show a worklog' add 'Log hours' import 'Create worklogs from a file' update 'Change a worklog' edit 'Change a worklog in your editor' delete 'Delete a worklog' copy 'Log the entries of another week or day again' suggest 'Propose missing hours from commits, meetings and logs'
        case 'timers'
            printf '%s\t%s\n' list 'List timers' get 'Show a timer' create 'Create a timer' import 'Create timers from a file' update 'Change a timer' edit 'Change a timer in your editor' delete 'Delete a timer' start 'Start a timer' continue 'Start a timer like your last entry' status 'Show your running timers, and the time so far' stop 'End a timer, and log its time' switch 'End the running timer, and start another one' cancel 'End a timer without logging hours'
        case 'work-items'
            printf '%s\t%s\n' list 'List work items' get 'Show a work item' create 'Create a work item' import 'Create work items from a file' update 'Change a work item' edit 'Change a work item in your editor' delete 'Delete a work item' transition 'Change the workflow status of a work item' move 'Place a work item after another, on the board or in the backlog' attach 'Attach files to a work item' subtasks 'Subtasks of a work item' links 'Links of a work item' comments 'Comments on a work item' attachments 'Files attached to a work item'
        case 'work-items subtasks'
            printf '%s\t%s\n' list 'List the subtasks of a work item' create 'Create a subtask of a work item' import 'Create subtasks of a work item from a file'
        case 'work-items links'
            printf '%s\t%s\n' list 'List the links of a work item' create 'Create a link of a work item' import 'Create links of a work item from a file'
        case 'work-items comments'
            printf '%s\t%s\n' list 'List the comments of a work item' get 'Show a comment of a work item' create 'Create a comment of a work item' import 'Create comments of a work item from a file' update 'Change a comment of a work item' edit 'Change a comment of a work item in your editor' delete 'Delete a comment of a work item'
        case 'work-items attachments'
            printf '%s\t%s\n' list 'List the attachments of a work item' get 'Show an attachment of a work item' delete 'Delete an attachment of a work item'
        case 'subtasks'
            printf '%s\t%s\n' list 'List subtasks' get 'Show a subtask' create 'Create a subtask' import 'Create subtasks from a file' update 'Change a subtask' edit 'Change a subtask in your editor' delete 'Delete a subtask'
        case 'work-item-links'
            printf '%s\t%s\n' list 'List work item links' get 'Show a work item link' create 'Create a work item link' import 'Create work item links from a file' update 'Change a work item link' edit 'Change a work item link in your editor' delete 'Delete a work item link'
        case 'labels'
            printf '%s\t%s\n' list 'List labels' get 'Show a label' create 'Create a label' import 'Create labels from a file' update 'Change a label' edit 'Change a label in your editor' delete 'Delete a label'
        case 'tasks'
            printf '%s\t%s\n' list 'List tasks' get 'Show a task' create 'Create a task' import 'Create tasks from a file' update 'Change a task' edit 'Change a task in your editor' delete 'Delete a task'
        case 'sprints'
            printf '%s\t%s\n' list 'List sprints' get 'Show a sprint' create 'Create a sprint' import 'Create sprints from a file' update 'Change a sprint' edit 'Change a sprint in your editor' delete 'Delete a sprint' complete 'Complete a sprint' burndown 'Compare the logged hours of a sprint with its estimations, by day'
        case 'projects'
            printf '%s\t%s\n' list 'List projects' get 'Show a project' create 'Create a project' import 'Create projects from a file' update 'Change a project' edit 'Change a project in your editor' delete 'Delete a project'
        case 'project-links'
            printf '%s\t%s\n' list 'List project links' get 'Show a project link' create 'Create a project link' import 'Create project links from a file' update 'Change a project link' edit 'Change a project link in your editor' delete 'Delete a project link'
        case 'budgets'
            printf '%s\t%s\n' list 'List budgets' get 'Show a budget' create 'Create a budget' import 'Create budgets from a file' update 'Change a budget' edit 'Change a budget in your editor' delete 'Delete a budget' burn 'Show how much of each budget is spent, and when the budget runs out'
        case 'budget-groups'
            printf '%s\t%s\n' list 'List budget groups' get 'Show a budget group' create 'Create a budget group' import 'Create budget groups from a file' update 'Change a budget group' edit 'Change a budget group in your editor' delete 'Delete a budget group'
        case 'customers'
            printf '%s\t%s\n' list 'List customers' get 'Show a customer' create 'Create a customer' import 'Create customers from a file' update 'Change a customer' edit 'Change a customer in your editor' delete 'Delete a customer'
        case 'contacts'
            printf '%s\t%s\n' list 'List contacts' get 'Show a contact' create 'Create a contact' import 'Create contacts from a file' update 'Change a contact' edit 'Change a contact in your editor' delete 'Delete a contact'
        case 'contact-roles'
            printf '%s\t%s\n' list 'List contact roles' get 'Show a contact role' create 'Create a contact role' import 'Create contact roles from a file' update 'Change a contact role' edit 'Change a contact role in your editor' delete 'Delete a contact role'
        case 'customer-categories'
            printf '%s\t%s\n' list 'List customer categories' get 'Show a customer category' create 'Create a customer category' import 'Create customer categories from a file' update 'Change a customer category' edit 'Change a customer category in your editor' delete 'Delete a customer category'
        case 'sales-invoices'
            printf '%s\t%s\n' list 'List sales invoices' get 'Show a sales invoice' create 'Create a sales invoice' import 'Create sales invoices from a file' update 'Change a sales invoice' edit 'Change a sales invoice in your editor' delete 'Delete a sales invoice' rows 'The rows of one invoice'
        case 'sales-invoices rows'
            printf '%s\t%s\n' list 'List the rows of a sales invoice' create 'Create a row of a sales invoice' import 'Create rows of a sales invoice from a file'
        case 'sales-invoice-rows'
            printf '%s\t%s\n' list 'List sales invoice rows' get 'Show a sales invoice row' create 'Create a sales invoice row' import 'Create sales invoice rows from a file' update 'Change a sales invoice row' edit 'Change a sales invoice row in your editor' delete 'Delete a sales invoice row'
        case 'invoices'
            printf '%s\t%s\n' list 'List invoices' get 'Show an invoice' create 'Create an invoice' import 'Create invoices from a file' update 'Change an invoice' edit 'Change an invoice in your editor' delete 'Delete an invoice'
        case 'customer-subscriptions'
            printf '%s\t%s\n' list 'List customer subscriptions' get 'Show a customer subscription' create 'Create a customer subscription' import 'Create customer subscriptions from a file' update 'Change a customer subscription' edit 'Change a customer subscription in your editor' delete 'Delete a customer subscription' items 'Items of one subscription'
        case 'customer-subscriptions items'
            printf '%s\t%s\n' list 'List the items of a customer subscription' create 'Create an item of a customer subscription' import 'Create items of a customer subscription from a file'
        case 'subscription-items'
            printf '%s\t%s\n' list 'List subscription items' get 'Show a subscription item' create 'Create a subscription item' import 'Create subscription items from a file' update 'Change a subscription item' edit 'Change a subscription item in your editor' delete 'Delete a subscription item'
        case 'subscription-types'
            printf '%s\t%s\n' list 'List subscription types' get 'Show a subscription type' create 'Create a subscription type' import 'Create subscription types from a file' update 'Change a subscription type' edit 'Change a subscription type in your editor' delete 'Delete a subscription type' items 'Items of one subscription type'
        case 'subscription-types items'
            printf '%s\t%s\n' list 'List the items of a subscription type' create 'Create an item of a subscription type' import 'Create items of a subscription type from a file'
        case 'subscription-type-items'
            printf '%s\t%s\n' list 'List subscription type items' get 'Show a subscription type item' create 'Create a subscription type item' import 'Create subscription type items from a file' update 'Change a subscription type item' edit 'Change a subscription type item in your editor' delete 'Delete a subscription type item'
        case 'subscription-products'
            printf '%s\t%s\n' list 'List subscription products' get 'Show a subscription product' create 'Create a subscription product' import 'Create subscription products from a file' update 'Change a subscription product' edit 'Change a subscription product in your editor' delete 'Delete a subscription product'
        case 'absences'
            printf '%s\t%s\n' list 'List absences' get 'Show an absence' create 'Create an absence' import 'Create absences from a file' update 'Change an absence' edit 'Change an absence in your editor' delete 'Delete an absence' add 'Add an absence for some days, or for half a day' who 'Show who is away today, next week or on any days' calendar 'Show absences by person and day, as a grid, a page or a calendar file' used 'Count the working days of leave that people used in a year'
        case 'holidays'
            printf '%s\t%s\n' list 'List holidays' get 'Show a holiday' create 'Create a holiday' import 'Create holidays from a file' update 'Change a holiday' edit 'Change a holiday in your editor' delete 'Delete a holiday'
        case 'free-days'
            printf '%s\t%s\n' list 'List free days' get 'Show a free day' create 'Create a free day' import 'Create free days from a file' update 'Change a free day' edit 'Change a free day in your editor' delete 'Delete a free day'
        case 'checkins'
            printf '%s\t%s\n' list 'List checkins' get 'Show a checkin' create 'Create a checkin' import 'Create checkins from a file' update 'Change a checkin' edit 'Change a checkin in your editor' delete 'Delete a checkin'
        case 'furlough-balance-mutations'
            printf '%s\t%s\n' list 'List furlough balance mutations' get 'Show a furlough balance mutation' create 'Create a furlough balance mutation' import 'Create furlough balance mutations from a file' update 'Change a furlough balance mutation' edit 'Change a furlough balance mutation in your editor' delete 'Delete a furlough balance mutation'
        case 'events'
            printf '%s\t%s\n' list 'List events' get 'Show an event' create 'Create an event' import 'Create events from a file' update 'Change an event' edit 'Change an event in your editor' delete 'Delete an event'
        case 'drive-items'
            printf '%s\t%s\n' list 'List drive items' get 'Show a drive item' create 'Create a drive item' import 'Create drive items from a file' update 'Change a drive item' edit 'Change a drive item in your editor' delete 'Delete a drive item' upload 'Upload files to a drive' download 'Download the files of drive items' files 'The files of a drive item' comments 'Comments on a drive item'
        case 'drive-items files'
            printf '%s\t%s\n' list 'List the files of a drive item' get 'Show a file of a drive item' delete 'Delete a file of a drive item'
        case 'drive-items comments'
            printf '%s\t%s\n' list 'List the comments of a drive item' get 'Show a comment of a drive item' create 'Create a comment of a drive item' import 'Create comments of a drive item from a file' update 'Change a comment of a drive item' edit 'Change a comment of a drive item in your editor' delete 'Delete a comment of a drive item'
        case 'drive-folders'
            printf '%s\t%s\n' list 'List drive folders' get 'Show a drive folder' create 'Create a drive folder' import 'Create drive folders from a file' update 'Change a drive folder' edit 'Change a drive folder in your editor' delete 'Delete a drive folder'
        case 'drive-documents'
            printf '%s\t%s\n' list 'List drive documents' get 'Show a drive document' create 'Create a drive document' import 'Create drive documents from a file' update 'Change a drive document' edit 'Change a drive document in your editor' delete 'Delete a drive document'
        case 'notes'
            printf '%s\t%s\n' list 'List notes' get 'Show a note' create 'Create a note' import 'Create notes from a file' update 'Change a note' edit 'Change a note in your editor' delete 'Delete a note'
        case 'todos'
            printf '%s\t%s\n' list 'List todos' get 'Show a todo' create 'Create a todo' import 'Create todos from a file' update 'Change a todo' edit 'Change a todo in your editor' delete 'Delete a todo'
        case 'users'
            printf '%s\t%s\n' list 'List users' get 'Show a user' create 'Create a user' import 'Create users from a file' update 'Change a user' edit 'Change a user in your editor' delete 'Delete a user' capacity 'Show how many hours people can work, by week, without days off and leave'
        case 'company-branches'
            printf '%s\t%s\n' list 'List company branches' get 'Show a company branch' create 'Create a company branch' import 'Create company branches from a file' update 'Change a company branch' edit 'Change a company branch in your editor' delete 'Delete a company branch'
        case 'workflows'
            printf '%s\t%s\n' list 'List workflows' get 'Show a workflow' create 'Create a workflow' import 'Create workflows from a file' update 'Change a workflow' edit 'Change a workflow in your editor' delete 'Delete a workflow' apply 'Create a workflow with its statuses and transitions from a file'
        case 'workflow-statuses'
            printf '%s\t%s\n' list 'List workflow statuses' get 'Show a workflow status' create 'Create a workflow status' import 'Create workflow statuses from a file' update 'Change a workflow status' edit 'Change a workflow status in your editor' delete 'Delete a workflow status'
        case 'workflow-transitions'
            printf '%s\t%s\n' list 'List workflow transitions' get 'Show a workflow transition' create 'Create a workflow transition' import 'Create workflow transitions from a file' update 'Change a workflow transition' edit 'Change a workflow transition in your editor' delete 'Delete a workflow transition'
        case 'work-types'
            printf '%s\t%s\n' list 'List work types' get 'Show a work type' create 'Create a work type' import 'Create work types from a file' update 'Change a work type' edit 'Change a work type in your editor' delete 'Delete a work type'
        case 'billing'
            printf '%s\t%s\n' unbilled 'Show hours that are on no invoice' draft 'Create the invoice for the unbilled hours of a customer'
        case 'auth'
            printf '%s\t%s\n' status 'List your sign-ins: host, user, kind of token, expiry' switch 'Make a host, or an account on a host, the default' refresh 'Renew the access token now' print-token 'Print a valid access token, for other HTTP tools'
        case 'policy'
            printf '%s\t%s\n' set 'Set what svc may write, from a file' show 'Show what svc may write, and the source of each policy' remove 'Remove the policy that you set'
        case 'token'
            printf '%s\t%s\n' set 'Store a personal access token' status 'Show whether a token is stored, and when the token expires' remove 'Delete the personal access token from this machine'
        case 'schema'
            printf '%s\t%s\n' import 'Import an API spec of your organisation (OpenAPI)' forget 'Remove the imported API spec, and the previous import' show 'Show the API that svc knows, and the source of each fact' diff 'Compare the imported API spec with the previous import' export 'Print the API that svc knows, as an API spec'
        case 'outbox'
            printf '%s\t%s\n' list 'List writes that wait or are unconfirmed' send 'Send waiting writes, and resolve unconfirmed writes' drop 'Remove a write from the outbox'
        case 'plan'
            printf '%s\t%s\n' show 'Show what a plan changes, field by field, or write a page for approval' check 'Check whether a plan still applies, and change nothing'
        case 'config'
            printf '%s\t%s\n' get 'Print a setting' set 'Change a setting' unset 'Remove a setting' list 'List every setting with its meaning' edit 'Change the settings in your editor' path 'Print the path of the settings file'
        case 'alias'
            printf '%s\t%s\n' set 'Define an alias for a command line' list 'List your aliases' delete 'Delete an alias'
        case 'skill'
            printf '%s\t%s\n' show 'Print instructions for agents' install 'Install the instructions as an agent skill'
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
    set -l current (string unescape -- "$raw"; or string replace -r '^["\']' '' -- "$raw")
    if not string match -q -- '-*' "$current"
        set -l known (__svc_known $before)
        set -q known[1]; and printf '%s\n' $known
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
            printf '%s\n' $lines
    end
end

complete -c svc -f -k -a '(__svc_complete)'
