import type { Candidate } from '../../cli/complete/candidate.ts';
import type { Known } from '../../cli/complete/complete.ts';
import { openAliasFile } from '../../config/alias-file.ts';
import type { Needs } from '../../session/context.ts';
import { FRESH_MS, openKeptFiles } from '../../session/kept-records.ts';

/** The hidden command that keeps the names up to date; `ask <noun>` behind it. */
export const COMPLETE = '__complete';

/**
 * What is known without asking anybody. Where it is missing or old, another svc is started that asks the service, and
 * this one does not wait: the next Tab has it. Nothing here fails; a completion that cannot be had is none.
 */
export function createKnown(context: Needs<'accounts' | 'clock' | 'env' | 'files' | 'host' | 'paths' | 'programs' | 'settings'>): Known {
  return {
    aliases: () =>
      openAliasFile(context.files, context.paths.config)
        .read()
        .catch(() => ({})),
    hosts: () => hosts(context).catch(() => []),
    records: (noun, as) => records(context, noun, as).catch(() => []),
  };
}

async function hosts(context: Needs<'accounts' | 'settings'>): Promise<readonly string[]> {
  const signedIn = (await (await context.accounts()).hosts()).map(({ host }) => host);
  const { host } = await context.settings();
  return [...new Set([...signedIn, ...(host === undefined ? [] : [host])])];
}

async function records(
  context: Needs<'clock' | 'env' | 'files' | 'host' | 'paths' | 'programs'>,
  noun: string,
  as: 'id' | 'name',
): Promise<readonly Candidate[]> {
  const files = await openKeptFiles(context);
  const kept = await files.read(noun);
  const age = context.clock.now() - (kept?.at ?? 0);
  if (age > FRESH_MS && (await files.claim(noun))) {
    const { name } = await context.host();
    await context.programs.startSelf([COMPLETE, '--ask', noun, '--host', name, '--no-input', '--quiet']);
  }
  const found = kept?.records ?? [];
  return as === 'id' ? found : distinctNames(found);
}

function distinctNames(records: readonly Candidate[]): Candidate[] {
  return [...new Set(records.map(({ about }) => about))].filter((name) => name !== '').map((name) => ({ value: name, about: '' }));
}
