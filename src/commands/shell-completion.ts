import { completionLines, type KnownRecord } from '../cli/complete/candidate.ts';
import { type CompletionSource, complete } from '../cli/complete/complete.ts';
import { GLOBAL_OPTIONS } from '../cli/globals.ts';
import { type CommandSpec, defineCommand, type LoadedCommand, text, toggle } from '../cli/spec.ts';
import { openAliasFile } from '../config/alias-file.ts';
import { FRESH_MS, openCachedRecords, TRANSITIONS } from '../session/cached-records.ts';
import type { Context, Needs } from '../session/context.ts';
import { DEFAULT_ACCOUNT, hostsOf, splitSignIn } from '../values/sign-in-names.ts';

/** Defines `svc __complete -- <words>…`, which prints the candidates for a shell. The scripts of `svc completion` run this command. */
export function shellCompletionCommand(root: CommandSpec): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: [],
    summary: 'Print completions, for the completion scripts',
    description:
      'The arguments are the words after svc, up to the cursor. svc prints each candidate on a line, with a tab and an explanation. The last line begins with a colon, and explains how to use the candidates.',
    args: [{ name: 'word', summary: 'A word of the line', optional: true, variadic: true }],
    options: {
      empty: toggle('--empty', 'Complete an empty last word, which the shell does not pass as an argument'),
      ask: text('--ask <resource>', 'Read the names of this resource from the service, and store the names'),
      of: text('--of <id|key>', 'Read the allowed transitions of this work item'),
    },
    examples: [{ args: '__complete -- worklogs li', does: 'Print the candidates' }],
    async run(context: Context, { args, options }) {
      if (options.ask !== undefined) {
        const { cacheTransitions, cacheRecords } = await import('../records/cached-names.ts');
        await (options.of === undefined ? cacheRecords(context, options.ask) : cacheTransitions(context, options.of));
        return;
      }
      const typed = options.empty ? [...args, ''] : args;
      await context.stdio.stdout.write(completionLines(await complete(root, GLOBAL_OPTIONS, typed, createKnown(context))));
    },
  });
}

/** The name of the hidden command. With `--ask <resource>` the command updates the cache of names. */
export const COMPLETE = '__complete';

/**
 * Returns functions that find the known names. If the names of records are missing or old, svc starts a second svc in the background. The
 * next Tab then has new names.
 */
export function createKnown(
  context: Needs<'account' | 'accounts' | 'catalog' | 'clock' | 'env' | 'files' | 'host' | 'paths' | 'programs' | 'settings' | 'system'>,
): CompletionSource {
  return {
    nouns: context.catalog.nouns.map(({ noun }) => noun),
    aliases: () =>
      openAliasFile(context.files, context.paths.config)
        .read()
        .catch(() => ({})),
    hosts: () => hosts(context).catch(() => []),
    accounts: () => accounts(context).catch(() => []),
    tables: () => tables(context).catch(() => []),
    records: (noun) => records(context, noun).catch(() => []),
    moves: (workItem) => moves(context, workItem).catch(() => undefined),
  };
}

async function hosts(context: Needs<'accounts' | 'settings'>): Promise<readonly string[]> {
  const { host } = await context.settings();
  return hostsOf([...(await (await context.accounts()).names()), ...(host === undefined ? [] : [host])]);
}

async function accounts(context: Needs<'accounts'>): Promise<readonly string[]> {
  const signIns = await (await context.accounts()).names();
  return [...new Set(signIns.map((signIn) => splitSignIn(signIn).account ?? DEFAULT_ACCOUNT))];
}

async function tables(context: Needs<'account' | 'env' | 'host' | 'paths'>): Promise<readonly string[]> {
  const [{ accountFile }, { openForSql }] = await Promise.all([
    import('../session/account-journal.ts'),
    import('../database/query-database.ts'),
  ]);
  const database = await openForSql(await accountFile(context, 'mirror'), '');
  try {
    return database.tables().map(({ name }) => name);
  } finally {
    database.close();
  }
}

type Asking = Needs<'clock' | 'env' | 'files' | 'host' | 'paths' | 'programs'>;

async function records(context: Asking, noun: string): Promise<readonly KnownRecord[]> {
  const files = await openCachedRecords(context);
  const cached = await files.read(noun);
  const age = context.clock.now() - (cached?.at ?? 0);
  if (age > FRESH_MS && (await files.claim(noun))) await askInBackground(context, [noun]);
  return cached?.records ?? [];
}

/** The time in milliseconds that cached transitions stay valid: long enough to type one command. */
const TRANSITIONS_FRESH_MS = 10_000;
/** The longest time, in milliseconds, that a Tab waits for transitions. */
const MOVES_WAIT_MS = 700;
const POLL_MS = 20;

/**
 * Returns the allowed statuses, and waits for the service if necessary. The background svc can store a renewed sign-in even after this Tab.
 */
async function moves(context: Asking, workItem: string): Promise<readonly string[] | undefined> {
  if (!WORK_ITEM.test(workItem)) return undefined;
  const { clock } = context;
  const files = await openCachedRecords(context);
  const read = async () => {
    const cached = await files.read(TRANSITIONS);
    return cached?.of === workItem ? cached : undefined;
  };
  let cached = await read();
  const { at } = cached ?? { at: 0 };
  if (clock.now() - at >= TRANSITIONS_FRESH_MS && (await files.claim(TRANSITIONS, { of: workItem, at }))) {
    await askInBackground(context, [TRANSITIONS, '--of', workItem]);
    const end = clock.monotonic() + MOVES_WAIT_MS;
    while ((cached?.at ?? 0) === at && clock.monotonic() < end) {
      await clock.sleep(POLL_MS);
      cached = (await read()) ?? cached;
    }
  }
  return cached?.records.map(({ value }) => value);
}

const WORK_ITEM = /^(?:\d+|[A-Za-z][A-Za-z0-9_]*-\d+)$/;

async function askInBackground(context: Asking, what: readonly string[]): Promise<void> {
  const { name } = await context.host();
  await context.programs.startSelf([COMPLETE, '--ask', ...what, '--host', name, '--no-input', '--quiet']);
}
