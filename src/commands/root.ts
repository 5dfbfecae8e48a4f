import type { Catalog, Noun } from '../catalog/index.ts';
import type { CommandEntry, CommandSpec } from '../cli/spec.ts';
import type { Context } from '../session/context.ts';

const RESOURCES = 'Resources';
const TIME = 'Time';
const WRITES = 'What you wrote';
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
    summary: 'Today: your hours, what runs, what is due, who is away',
    group: TIME,
    load: async () => (await import('./time/status.ts')).status,
  },
  {
    name: 'week',
    summary: 'Your week as a grid, and what is missing in it',
    group: TIME,
    load: async () => (await import('./time/week/week.ts')).week,
  },
  {
    name: 'report',
    summary: 'Hours by customer, project, budget, label, person, week and more',
    group: TIME,
    load: async () => (await import('./time/report/report.ts')).report,
  },
  {
    name: 'billing',
    summary: 'Hours that are on no invoice, and the invoice that bills them',
    group: TIME,
    load: async () => (await import('./billing/index.ts')).billing,
  },
  {
    name: 'check',
    summary: 'What is wrong with the hours of a month, and how to mend it',
    group: TIME,
    load: async () => (await import('./check/check.ts')).check,
  },
  { name: 'login', summary: 'Sign in with the browser', group: SIGN_IN, load: async () => (await import('./login.ts')).login },
  {
    name: 'logout',
    summary: 'Sign out: revoke at the service, then forget',
    group: SIGN_IN,
    load: async () => (await import('./logout.ts')).logout,
  },
  {
    name: 'auth',
    summary: 'Sign-ins: status, switch, refresh, print a token',
    group: SIGN_IN,
    load: async () => (await import('./auth.ts')).auth,
  },
  {
    name: 'token',
    summary: 'The personal access token, needed to delete',
    group: SIGN_IN,
    load: async () => (await import('./token.ts')).token,
  },
  { name: 'me', aliases: ['whoami'], summary: 'Who you are signed in as', group: SERVICE, load: async () => (await import('./me.ts')).me },
  {
    name: 'resources',
    summary: 'What your organisation has',
    group: SERVICE,
    load: async () => (await import('./resources.ts')).resources,
  },
  {
    name: 'schema',
    summary: 'The OpenAPI description of your organisation’s API',
    group: SERVICE,
    load: async () => (await import('./schema/index.ts')).schema,
  },
  {
    name: 'export',
    summary: 'Save every collection, or some, into files',
    group: SERVICE,
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'sync',
    summary: 'Keep a copy of what you may see, to ask with SQL',
    group: SERVICE,
    load: async () => (await import('./sync.ts')).sync,
  },
  {
    name: 'sql',
    summary: 'Ask your copy with SQL',
    group: SERVICE,
    load: async () => (await import('./sql/index.ts')).sql,
  },
  {
    name: 'changes',
    summary: 'What was made, changed and deleted since you last asked',
    group: SERVICE,
    load: async () => (await import('./changes.ts')).changes,
  },
  {
    name: 'outbox',
    summary: 'Writes that wait, or whose outcome nobody knows',
    group: WRITES,
    load: async () => (await import('./outbox.ts')).outbox,
  },
  {
    name: 'history',
    summary: 'What you wrote from here',
    group: WRITES,
    load: async () => (await import('./history.ts')).history,
  },
  {
    name: 'apply',
    summary: 'Send exactly what was planned with --plan',
    group: WRITES,
    load: async () => (await import('./apply-plan.ts')).applyPlan,
  },
  { name: 'undo', summary: 'Take back the last write, or another', group: WRITES, load: async () => (await import('./undo.ts')).undo },
  { name: 'limits', summary: 'How much of the rate limit is left', group: SERVICE, load: async () => (await import('./limits.ts')).limits },
  { name: 'open', summary: 'Open a record in the browser', group: SERVICE, load: async () => (await import('./open.ts')).open },
  { name: 'api', summary: 'Send any request, signed in', group: SERVICE, load: async () => (await import('./api.ts')).api },
  {
    name: 'config',
    summary: 'Settings: default host, output, time zone …',
    group: TOOL,
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'alias',
    summary: 'Short words of your own for longer lines',
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
    summary: 'Every command as data, for programs and agents',
    group: TOOL,
    load: async () => (await import('./commands.ts')).commandsCommand(root()),
  },
  {
    name: 'skill',
    summary: 'What an agent has to know of svc',
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
  { name: 'version', summary: 'Which svc this is', group: TOOL, load: async () => (await import('./version.ts')).version },
  {
    name: 'doctor',
    summary: 'Check that everything svc needs is in order',
    group: TOOL,
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'sandbox',
    summary: 'Run the service on this machine, to try things on',
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

/** What help tells that belongs to no command. */
const TOPICS: readonly CommandEntry<Context>[] = [
  {
    name: 'dates',
    summary: 'How days, times and durations are typed',
    group: TOPIC,
    load: async () => (await import('./help-topics.ts')).dates,
  },
  {
    name: 'names',
    summary: 'How organisations, people, work items and other records are named',
    group: TOPIC,
    load: async () => (await import('./help-topics.ts')).names,
  },
  { name: 'formats', summary: 'How results print', group: TOPIC, load: async () => (await import('./help-topics.ts')).formats },
  { name: 'exit-codes', summary: 'What svc ends with', group: TOPIC, load: async () => (await import('./help-topics.ts')).exitCodes },
  {
    name: 'environment',
    summary: 'The variables that svc reads',
    group: TOPIC,
    load: async () => (await import('./help-topics.ts')).environment,
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
  { args: 'status', does: 'How you stand today' },
  { args: 'worklogs add 1h30 ABC-12 "Review"', does: 'Log an hour and a half' },
  { args: 'week', does: 'Your week, and what is missing' },
  { args: 'work-items list --assignee me', does: 'What is on your plate' },
  { args: 'work-items transition ABC-12 --to Done', does: 'Move it along the board' },
];
