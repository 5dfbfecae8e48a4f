import type { Resource } from '../catalog/define.ts';
import { isNameable, singularName } from '../catalog/rules.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { parseWorkItem } from '../values/scalars.ts';
import { quote } from '../values/text.ts';
import type { FindingByName, Reading } from './find-by-name.ts';
import { type TypedPlace, typedPlace } from './paths.ts';

export type FindingRecords = FindingByName | 'globals' | 'journal';

export async function namedPlace(
  context: Needs<FindingRecords>,
  resource: Resource,
  args: readonly string[],
  takesWords = true,
): Promise<TypedPlace> {
  const { parent, rest } = await namedParent(context, resource, args);
  // svc reads the resource only once for several names.
  const shared: Shared = { takesWords };
  return { parent, rest: await inTurn(rest, (text) => namedRecord(context, resource, text, shared)) };
}

export async function namedParent(context: Needs<FindingRecords>, resource: Resource, args: readonly string[]): Promise<TypedPlace> {
  const { parent, rest } = typedPlace(resource, args);
  const above = resource.parent === undefined ? undefined : await context.catalog.find(resource.parent.noun);
  return { parent: parent === undefined || above === undefined ? parent : await namedRecord(context, above, parent), rest };
}

interface Shared {
  reading?: Reading;
  /** True if whole words of a name count without a terminal. Default: true. */
  readonly takesWords?: boolean;
}

export async function namedRecord(context: Needs<FindingRecords>, resource: Resource, text: string, shared: Shared = {}): Promise<string> {
  if (text === '-' || isId(resource, text)) return text;
  if (text === 'last') return lastWritten(context, resource);
  if (!isNameable(resource) || text.trim() === '') return text;
  if (context.globals.dryRun)
    throw new UsageError(`A dry run sends no request, so svc cannot look up the ${singularName(resource)} ${quote(text)}.`, {
      hint: 'Use the id.',
    });
  const { idByName, readingOf } = await import('./find-by-name.ts');
  shared.reading ??= readingOf(context, resource);
  return String((await idByName(context, resource, text, NotFoundError, shared.reading, shared.takesWords)).id);
}

function isId({ keyed }: Pick<Resource, 'keyed'>, text: string): boolean {
  if (/^\d+$/.test(text.trim())) return true;
  try {
    return keyed === true && parseWorkItem(text) !== undefined;
  } catch {
    return false;
  }
}

async function lastWritten(context: Needs<FindingRecords>, resource: Resource): Promise<string> {
  const noun = resource.itemsOf ?? resource.noun;
  const entries = await (await context.journal()).history({ noun, outcome: 'done' });
  const deleted = new Set<string | undefined>();
  // The newest entry is first, so a deleted id counts again after a later write: a new sandbox uses the same ids.
  const last = entries.find(({ method, path, recordId, undoneBy }) => {
    if (method === 'DELETE') deleted.add(path.split(/[/?]/)[2]);
    return recordId !== undefined && undoneBy === undefined && !deleted.has(recordId);
  });
  if (last?.recordId === undefined)
    throw new NotFoundError(`You have written no ${singularName(resource)} from this machine.`, {
      hint: `To see your writes: svc history`,
    });
  await context.notice(`Last ${singularName(resource)}: #${last.recordId}`);
  return last.recordId;
}

/** Runs a function for one value after another, so that the user answers one question before the next question appears. */
async function inTurn<T, R>(values: readonly T[], run: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const value of values) results.push(await run(value));
  return results;
}
