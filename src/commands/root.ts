import type { Catalog, Noun } from '../catalog/index.ts';
import type { CommandEntry, CommandSpec } from '../cli/spec.ts';
import type { Context } from '../session/context.ts';

const RESOURCES = 'Resources';
const TIME = 'Time';
const WRITES = 'Your writes';
const SIGN_IN = 'Signing in';
const SERVICE = 'The service';
const TOOL = 'This tool';

/**
 * Commands that are no resource, in the order in which help lists them.
 *
 * @param root The tree that they are in, for those that tell of it.
 */
const commandsIn = (root: () => CommandSpec<Context>): readonly CommandEntry<Context>[] => [
  {
    name: 'status',
    summary: 'Show your day: hours, running timer, work items, who is away',
    group: TIME,
    load: async () => (await import('./time/status.ts')).status,
  },
  {
    name: 'week',
    summary: 'Show your week as a grid, with missing hours',
    group: TIME,
    load: async () => (await import('./time/week/week.ts')).week,
  },
  {
    name: 'report',
    summary: 'Add up hours by customer, project, budget, label, person, week and more',
    group: TIME,
    load: async () => (await import('./time/report/report.ts')).report,
  },
  {
    name: 'billing',
    summary: 'Show unbilled hours, and create the invoice for them',
    group: TIME,
    load: async () => (await import('./billing/index.ts')).billing,
  },
  {
    name: 'check',
    summary: 'Find problems in the hours of a month, and the commands that fix them',
    group: TIME,
    load: async () => (await import('./check/check.ts')).check,
  },
  { name: 'login', summary: 'Sign in with the browser', group: SIGN_IN, load: async () => (await import('./login.ts')).login },
  {
    name: 'logout',
    summary: 'Sign out: revoke the sign-in, and forget its tokens',
    group: SIGN_IN,
    load: async () => (await import('./logout.ts')).logout,
  },
  {
    name: 'auth',
    summary: 'Manage sign-ins: status, switch, refresh, print a token',
    group: SIGN_IN,
    load: async () => (await import('./auth.ts')).auth,
  },
  {
    name: 'token',
    summary: 'Manage the personal access token, which deleting needs',
    group: SIGN_IN,
    load: async () => (await import('./token.ts')).token,
  },
  {
    name: 'me',
    aliases: ['whoami'],
    summary: 'Show the user that you are signed in as',
    group: SERVICE,
    load: async () => (await import('./me.ts')).me,
  },
  {
    name: 'resources',
    summary: 'List the resources of your organisation',
    group: SERVICE,
    load: async () => (await import('./resources.ts')).resources,
  },
  {
    name: 'schema',
    summary: 'Import and show the API spec (OpenAPI) of your organisation',
    group: SERVICE,
    load: async () => (await import('./schema/index.ts')).schema,
  },
  {
    name: 'export',
    summary: 'Save every resource, or some, into files',
    group: SERVICE,
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'sync',
    summary: 'Keep a local database of the records that you can see',
    group: SERVICE,
    load: async () => (await import('./sync.ts')).sync,
  },
  {
    name: 'sql',
    summary: 'Query the local database with SQL',
    group: SERVICE,
    load: async () => (await import('./sql/index.ts')).sql,
  },
  {
    name: 'changes',
    summary: 'Show which records were created, updated and deleted since the last run',
    group: SERVICE,
    load: async () => (await import('./changes.ts')).changes,
  },
  {
    name: 'outbox',
    summary: 'Show and send writes that wait or are unconfirmed',
    group: WRITES,
    load: async () => (await import('./outbox.ts')).outbox,
  },
  {
    name: 'history',
    summary: 'List your writes from this machine',
    group: WRITES,
    load: async () => (await import('./history.ts')).history,
  },
  {
    name: 'apply',
    summary: 'Send the writes of a plan, made with --plan',
    group: WRITES,
    load: async () => (await import('./apply-plan.ts')).applyPlan,
  },
  { name: 'undo', summary: 'Undo your last write, or another', group: WRITES, load: async () => (await import('./undo.ts')).undo },
  {
    name: 'limits',
    summary: 'Show how much of the rate limit is left',
    group: SERVICE,
    load: async () => (await import('./limits.ts')).limits,
  },
  { name: 'open', summary: 'Open a record in the browser', group: SERVICE, load: async () => (await import('./open.ts')).open },
  { name: 'api', summary: 'Send any request, signed in', group: SERVICE, load: async () => (await import('./api.ts')).api },
  {
    name: 'config',
    summary: 'Read and change settings: default host, output, time zone …',
    group: TOOL,
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'alias',
    summary: 'Define short names for longer commands',
    group: TOOL,
    load: async () => (await import('./alias.ts')).aliasCommand(root()),
  },
  {
    name: 'completion',
    summary: 'Complete svc in your shell',
    group: TOOL,
    load: async () => (await import('./completion.ts')).completionCommand(root()),
  },
  {
    name: 'commands',
    summary: 'Print every command as data, for programs and agents',
    group: TOOL,
    load: async () => (await import('./commands.ts')).commandsCommand(root()),
  },
  {
    name: 'skill',
    summary: 'Show and install instructions for agents',
    group: TOOL,
    load: async () => (await import('./skill.ts')).skill,
  },
  {
    name: '__complete',
    summary: 'What a shell may complete',
    group: TOOL,
    hidden: true,
    load: async () => (await import('./complete/index.ts')).shellCompletionCommand(root()),
  },
  {
    name: '__renew',
    summary: 'Renew a sign-in that is about to end, for svc itself',
    group: TOOL,
    hidden: true,
    load: async () => (await import('./renew.ts')).renew,
  },
  { name: 'version', summary: 'Print the version of svc', group: TOOL, load: async () => (await import('./version.ts')).version },
  {
    name: 'doctor',
    summary: 'Check that svc has everything it needs',
    group: TOOL,
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'sandbox',
    summary: 'Run a sandbox: the service on this machine, with made-up data',
    group: TOOL,
    load: async () => (await import('./sandbox.ts')).sandbox,
  },
];

/** A noun is named in the line of its area; its own help says what it is. */
function resourceEntry({ noun, singular, summary, area, load }: Noun, isFree: (word: string) => boolean): CommandEntry<Context> {
  return {
    name: noun,
    aliases: isFree(singular) ? [singular] : [],
    summary,
    group: RESOURCES,
    line: area,
    load: async () => {
      const [{ resourceCommand }, resource] = await Promise.all([import('./nouns/index.ts'), load()]);
      return resourceCommand(resource);
    },
  };
}

const TOPIC = 'Topics';

/** The topics of help that belong to no command. */
const TOPICS: readonly CommandEntry<Context>[] = [
  {
    name: 'dates',
    summary: 'Ways to type days, times and durations',
    group: TOPIC,
    load: async () => (await import('./help-topics.ts')).dates,
  },
  {
    name: 'names',
    summary: 'Ways to name organisations, people, work items and other records',
    group: TOPIC,
    load: async () => (await import('./help-topics.ts')).names,
  },
  { name: 'formats', summary: 'Output formats', group: TOPIC, load: async () => (await import('./help-topics.ts')).formats },
  { name: 'exit-codes', summary: 'Exit codes of svc', group: TOPIC, load: async () => (await import('./help-topics.ts')).exitCodes },
  {
    name: 'environment',
    summary: 'Environment variables that svc reads',
    group: TOPIC,
    load: async () => (await import('./help-topics.ts')).environment,
  },
  {
    name: 'glossary',
    summary: 'Words that help, messages and docs use',
    group: TOPIC,
    load: async () => (await import('./help-topics.ts')).glossary,
  },
];

/** The whole tree, of what a catalog has. */
export function rootOf(catalog: Catalog): CommandSpec<Context> {
  const commands = commandsIn(() => root);
  const root: CommandSpec<Context> = {
    name: 'svc',
    summary: 'Project work, time, billing, leave and planning, from the command line',
    commands: [...nounsBeside(catalog, commands), ...(catalog.described === undefined ? commands : commands.map(needingEntry))],
    topics: TOPICS,
    examples: EXAMPLES,
  };
  return root;
}

/** The nouns. What an organisation calls as svc calls a command of its own is reached by `svc api` alone, and never stands before it. */
function nounsBeside({ nouns, described }: Catalog, commands: readonly CommandEntry<Context>[]): CommandEntry<Context>[] {
  if (described === undefined && !nouns.some(({ isDiscovered }) => isDiscovered))
    return nouns.map((noun) => resourceEntry(noun, () => true));
  const taken = new Set(['help', ...commands.flatMap(({ name, aliases = [] }) => [name, ...aliases])]);
  const free = nouns.filter(({ noun }) => !taken.has(noun));
  const isFree = (word: string) => !taken.has(word) && !nouns.some(({ noun }) => noun === word);
  return free.map((noun) => resourceEntry(noun, isFree));
}

/** The same command, which says what it needs and a description has not. */
function needingEntry(entry: CommandEntry<Context>): CommandEntry<Context> {
  return { ...entry, load: async () => (await import('./needed.ts')).needing(entry.name, await entry.load()) };
}

const EXAMPLES = [
  { args: 'login acme.example.com', does: 'Sign in, with the browser' },
  { args: 'status', does: 'Show your day' },
  { args: 'worklogs add 1h30 ABC-12 "Review"', does: 'Log an hour and a half' },
  { args: 'week', does: 'Show your week and its gaps' },
  { args: 'work-items list --assignee me', does: 'List your work items' },
  { args: 'work-items transition ABC-12 --to Done', does: 'Set the status Done' },
];
