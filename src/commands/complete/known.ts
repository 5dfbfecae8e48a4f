import type { KnownRecord } from '../../cli/complete/candidate.ts';
import type { CompletionSource } from '../../cli/complete/complete.ts';
import { openAliasFile } from '../../config/alias-file.ts';
import type { Needs } from '../../session/context.ts';
import { FRESH_MS, MOVES, openKeptFiles } from '../../session/kept-records.ts';

/** The hidden command that keeps the names up to date; `ask <noun>` behind it. */
export const COMPLETE = '__complete';

/**
 * What is known without asking anybody. Where it is missing or old, another svc is started that asks the service, and
 * this one does not wait: the next Tab has it. Nothing here fails; a completion that cannot be had is none.
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
    tables: () => tables(context).catch(() => []),
    records: (noun) => records(context, noun).catch(() => []),
    moves: (workItem) => moves(context, workItem).catch(() => undefined),
  };
}

async function hosts(context: Needs<'accounts' | 'settings'>): Promise<readonly string[]> {
  const signedIn = (await (await context.accounts()).hosts()).map(({ host }) => host);
  const { host } = await context.settings();
  return [...new Set([...signedIn, ...(host === undefined ? [] : [host])])];
}

async function tables(context: Needs<'account' | 'env' | 'host' | 'paths'>): Promise<readonly string[]> {
  const [{ accountFile }, { openForSql }] = await Promise.all([
    import('../../session/account-journal.ts'),
    import('../../mirror/ask-sql.ts'),
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
  const files = await openKeptFiles(context);
  const kept = await files.read(noun);
  const age = context.clock.now() - (kept?.at ?? 0);
  if (age > FRESH_MS && (await files.claim(noun))) await askInBackground(context, [noun]);
  return kept?.records ?? [];
}

/** So long, in milliseconds, the moves of a work item are believed: while one line is typed. */
const MOVES_FRESH_MS = 10_000;
/** So long a person waits for them, in milliseconds. */
const MOVES_WAIT_MS = 700;
const LOOK_EVERY_MS = 20;

/**
 * Where a work item may go is of use only if it is known now, so it is waited for: a moment, and once a minute where nothing comes. It is
 * asked in the background all the same, where a renewed sign-in is stored whatever becomes of this Tab.
 */
async function moves(context: Asking, workItem: string): Promise<readonly string[] | undefined> {
  if (!WORK_ITEM.test(workItem)) return undefined;
  const { clock } = context;
  const files = await openKeptFiles(context);
  const read = async () => {
    const kept = await files.read(MOVES);
    return kept?.of === workItem ? kept : undefined;
  };
  let kept = await read();
  const { at } = kept ?? { at: 0 };
  if (clock.now() - at >= MOVES_FRESH_MS && (await files.claim(MOVES, { of: workItem, at }))) {
    await askInBackground(context, [MOVES, '--of', workItem]);
    const end = clock.monotonic() + MOVES_WAIT_MS;
    while ((kept?.at ?? 0) === at && clock.monotonic() < end) {
      await clock.sleep(LOOK_EVERY_MS);
      kept = (await read()) ?? kept;
    }
  }
  return kept?.records.map(({ value }) => value);
}

const WORK_ITEM = /^(?:\d+|[A-Za-z][A-Za-z0-9_]*-\d+)$/;

async function askInBackground(context: Asking, what: readonly string[]): Promise<void> {
  const { name } = await context.host();
  await context.programs.startSelf([COMPLETE, '--ask', ...what, '--host', name, '--no-input', '--quiet']);
}
