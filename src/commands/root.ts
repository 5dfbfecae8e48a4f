import type { Catalog, ResourceEntry } from '../catalog/index.ts';
import { type CommandEntry, type CommandRow, type CommandSpec, commandEntries, commandEntry } from '../cli/spec.ts';
import type { Context } from '../session/context.ts';

const RESOURCES = 'Resources';

/**
 * The commands of svc.
 *
 * @param root Returns the whole tree, for commands such as `completion` that describe the tree.
 */
const commandsIn = (root: () => CommandSpec<Context>): Readonly<Record<string, readonly CommandRow<Context>[]>> => ({
  Time: [
    ['status', 'Show your day: hours, running timer, work items, who is away', async () => (await import('./time/status.ts')).status],
    ['week', 'Show your week as a grid, with missing hours', async () => (await import('./time/week/week.ts')).week],
    [
      'report',
      'Add up hours by customer, project, budget, label, person, week and more',
      async () => (await import('./time/report/report.ts')).report,
    ],
    ['billing', 'Show unbilled hours, and create an invoice for these hours', async () => (await import('./billing/index.ts')).billing],
    [
      'check',
      'Find problems in the hours of a month, and the commands that fix them',
      async () => (await import('./check/check.ts')).check,
    ],
    ['close', 'Seal the hours of a month, and find later changes', async () => (await import('./close/close.ts')).close],
  ],
  'Signing in': [
    ['login', 'Sign in with the browser', async () => (await import('./login.ts')).login],
    ['logout', 'Sign out: revoke the sign-in, and delete its tokens', async () => (await import('./logout.ts')).logout],
    ['auth', 'Manage sign-ins: status, switch, refresh, print a token', async () => (await import('./auth.ts')).auth],
    ['policy', 'Limit what svc may write', async () => (await import('./policy.ts')).policy],
    ['token', 'Manage the personal access token, which deleting needs', async () => (await import('./token.ts')).token],
  ],
  'The service': [
    ['me', 'Show the user that you are signed in as', async () => (await import('./me.ts')).me, { aliases: ['whoami'] }],
    ['resources', 'List the resources of your organisation', async () => (await import('./resources.ts')).resources],
    ['schema', 'Import and show the API spec (OpenAPI) of your organisation', async () => (await import('./schema/index.ts')).schema],
    ['export', 'Save every resource, or some, into files', async () => (await import('./export.ts')).exportCommand],
    ['sync', 'Keep a local database of the records that you can see', async () => (await import('./sync.ts')).sync],
    ['sql', 'Query the local database with SQL', async () => (await import('./sql/index.ts')).sql],
    ['search', 'Find records by the words in them', async () => (await import('./search.ts')).search],
    [
      'changes',
      'Show which records were created, updated and deleted since the last run',
      async () => (await import('./changes.ts')).changes,
    ],
    ['limits', 'Show how much of the rate limit is left', async () => (await import('./limits.ts')).limits],
    ['open', 'Open a record in the browser', async () => (await import('./open.ts')).open],
    ['api', 'Send any request with your sign-in', async () => (await import('./api.ts')).api],
  ],
  'Your writes': [
    ['outbox', 'Show and send writes that wait or are unconfirmed', async () => (await import('./outbox.ts')).outbox],
    ['history', 'List your writes from this machine', async () => (await import('./history.ts')).history],
    ['apply', 'Send the writes of a plan, made with --plan', async () => (await import('./apply-plan.ts')).applyPlan],
    ['plan', 'Show and check a plan, made with --plan', async () => (await import('./plan/index.ts')).plan],
    ['undo', 'Undo your last write, or an earlier write', async () => (await import('./undo.ts')).undo],
  ],
  'This tool': [
    ['config', 'Read and change settings: default host, output, time zone …', async () => (await import('./config.ts')).config],
    ['alias', 'Define short names for longer commands', async () => (await import('./alias.ts')).aliasCommand(root())],
    ['completion', 'Complete svc in your shell', async () => (await import('./completion.ts')).completionCommand(root())],
    [
      'commands',
      'Print every command as data, for programs and agents',
      async () => (await import('./commands.ts')).commandsCommand(root()),
    ],
    ['skill', 'Show and install instructions for agents', async () => (await import('./skill.ts')).skill],
    [
      '__complete',
      'List the completions of a line for a shell',
      async () => (await import('./shell-completion.ts')).shellCompletionCommand(root()),
      { hidden: true },
    ],
    ['__renew', 'Renew a sign-in that is about to end, for svc itself', async () => (await import('./renew.ts')).renew, { hidden: true }],
    ['version', 'Print the version of svc', async () => (await import('./version.ts')).version],
    ['doctor', 'Check the settings, the connection and your sign-in', async () => (await import('./doctor.ts')).doctor],
    ['sandbox', 'Run a sandbox: the service on this machine, with made-up data', async () => (await import('./sandbox.ts')).sandbox],
  ],
});

function resourceEntry({ noun, singular, summary, area, load }: ResourceEntry, isFree: (word: string) => boolean): CommandEntry<Context> {
  const aliases = isFree(singular) ? [singular] : [];
  return commandEntry({ name: noun, aliases, summary, group: RESOURCES, line: area }, async () => {
    const [{ resourceCommand }, resource] = await Promise.all([import('./resource/index.ts'), load()]);
    return resourceCommand(resource);
  });
}

const TOPICS = commandEntries({
  Topics: [
    ['dates', 'Ways to type days, times and durations', async () => (await import('./help-topics.ts')).dates],
    ['names', 'Ways to name organisations, people, work items and other records', async () => (await import('./help-topics.ts')).names],
    ['formats', 'Output formats', async () => (await import('./help-topics.ts')).formats],
    ['exit-codes', 'Exit codes of svc', async () => (await import('./help-topics.ts')).exitCodes],
    ['environment', 'Environment variables that svc reads', async () => (await import('./help-topics.ts')).environment],
    ['glossary', 'Definitions of the terms in help, messages and docs', async () => (await import('./help-topics.ts')).glossary],
  ],
});

export function rootOf(catalog: Catalog): CommandSpec<Context> {
  const commands = commandEntries(commandsIn(() => root));
  const checked = (entry: CommandEntry<Context>) =>
    commandEntry(entry, async () => (await import('./needed.ts')).needing(entry.name, await entry.load()));
  const root: CommandSpec<Context> = {
    name: 'svc',
    summary: 'Project work, time, billing, leave and planning, from the command line',
    commands: [...resourceEntries(catalog, commands), ...(catalog.described === undefined ? commands : commands.map(checked))],
    topics: TOPICS,
    examples: EXAMPLES,
  };
  return root;
}

/** Leaves out a resource with the name of another svc command; `svc api` still reaches that resource. */
function resourceEntries({ nouns, described }: Catalog, commands: readonly CommandEntry<Context>[]): CommandEntry<Context>[] {
  if (described === undefined && !nouns.some(({ isDiscovered }) => isDiscovered))
    return nouns.map((noun) => resourceEntry(noun, () => true));
  const taken = new Set(['help', ...commands.flatMap(({ name, aliases = [] }) => [name, ...aliases])]);
  const free = nouns.filter(({ noun }) => !taken.has(noun));
  const isFree = (word: string) => !taken.has(word) && !nouns.some(({ noun }) => noun === word);
  return free.map((noun) => resourceEntry(noun, isFree));
}

const EXAMPLES = [
  { args: 'login acme.example.com', does: 'Sign in, with the browser' },
  { args: 'status', does: 'Show your day' },
  { args: 'worklogs add 1h30 ABC-12 "Review"', does: 'Log an hour and a half' },
  { args: 'week', does: 'Show your week and missing hours' },
  { args: 'work-items list --assignee me', does: 'List your work items' },
  { args: 'work-items transition ABC-12 --to Done', does: 'Set the status Done' },
];
