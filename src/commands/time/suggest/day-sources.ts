import { UsageError } from '../../../errors.ts';
import type { Needs } from '../../../session/context.ts';
import type { Interval } from '../../../time/calendar.ts';

type SourceFlags = Readonly<
  Record<'sessions' | 'activitywatch', true | undefined> & Record<'activitywatchFile' | 'blocks', string | undefined>
>;

export type ReadingSources = 'files' | 'network' | 'notice' | 'readFileArgument' | 'requestTimeoutMs' | 'signal' | 'system';

type Reading = Needs<'files' | 'readFileArgument'>;

/** Reads the text of a source. Undefined without a path. @throws UsageError for a special file, and for a file above `most` MiB. */
export async function readSourceText(context: Reading, flag: string, path: string | undefined, what: string, most: number) {
  if (path === undefined) return undefined;
  const found = path === '-' ? undefined : await context.files.stat(path).catch(() => undefined);
  const isUsable = found === undefined || (found.isFile && found.size <= most * 1024 ** 2);
  const text = isUsable ? await context.readFileArgument(path) : undefined;
  if (text !== undefined && text.length <= most * 1024 ** 2) return text;
  throw new UsageError(`${flag}: ${path} is not a ${what} of up to ${most} MiB.`, { hint: 'Export only the days that you want.' });
}

/**
 * Reads the files in the flags. Returns undefined if the flags name no source. Otherwise returns a function that reads the blocks of a time
 * range from all sources. That function returns `layers` in their order of precedence, the time of agents, and the time away from the
 * keyboard.
 */
export async function openSources(
  context: Needs<ReadingSources>,
  { sessions, activitywatch, activitywatchFile: file, blocks }: SourceFlags,
) {
  if (!sessions && !activitywatch && file === undefined && blocks === undefined) return undefined;
  const ndjson = await readSourceText(context, '--blocks', blocks, 'file of blocks', 8);
  const listed = ndjson === undefined ? [] : (await import('./blocks-file.ts')).readBlocks(ndjson, context.system.home);
  const watch = activitywatch || file !== undefined ? await import('./activitywatch.ts') : undefined;
  const text = await readSourceText(context, '--activitywatch-file', file, 'file of ActivityWatch', 128);
  const exported = (text !== undefined && watch?.bucketsOfExport(text, file ?? '')) || [];
  return async (range: Interval) => {
    const live = activitywatch ? await watch?.requestBuckets(context, range) : undefined;
    const seen = watch?.readBuckets([...exported, ...(live?.buckets ?? [])], range);
    const logs = sessions ? await (await import('./agent-sessions.ts')).readAgentSessions(context, range) : undefined;
    const leftOut = [logs, live, seen].flatMap((source) => source?.leftOut ?? []);
    if (leftOut.length > 0) await context.notice(`Left out of the sources: ${leftOut.join(', ')}.`);
    const layers = [listed, logs?.attended ?? [], seen?.editors ?? [], seen?.windows ?? []];
    return { layers, agents: logs?.agents ?? [], away: seen?.away ?? [] };
  };
}
