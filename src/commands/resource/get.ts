import type { Resource } from '../../catalog/define.ts';
import { reachOf } from '../../catalog/rules.ts';
import type { TypedInput } from '../../cli/spec.ts';
import { pluralOf } from '../../cli/words.ts';
import { requestCost } from '../../client/cost.ts';
import { UsageError } from '../../errors.ts';
import { type FindingRecords, namedPlace } from '../../records/named-place.ts';
import { itemPath } from '../../records/paths.ts';
import { recordToSee } from '../../records/record-at.ts';
import type { Needs } from '../../session/context.ts';
import { type Printing, printRecord, printRows, viewOf } from '../../session/print.ts';
import { type Opening, openPage } from '../open.ts';
import { eachFound, type Missing, notAllFound } from './each-found.ts';
import { type getOptions, hasComments, splitNames } from './read-flags.ts';
import type { Viewing } from './view.ts';

export async function getRecords(
  context: Needs<FindingRecords | Printing | Opening | Viewing>,
  resource: Resource,
  { args, options }: TypedInput<ReturnType<typeof getOptions>>,
): Promise<void> {
  const asPage = !options.web && !options.print && !options.withEtag && (await context.presentation()).isDefaultFormat;
  checkPage(resource, options, asPage);
  const { parent, rest } = await namedPlace(context, resource, args);
  if (options.web || options.print) {
    const path = itemPath(resource, onlyPage(resource, rest), parent);
    return openPage(context, resource, path, rest[0] ?? '', options.print === true);
  }
  const include = splitNames(options.include);
  if (resource.described?.includes) (await import('./described-list.ts')).checkIncludes(resource, include);
  const query: [string, string][] = [];
  if (include.length > 0) query.push(['include', include.join(',')]);
  if (options.view !== undefined) query.push(['view', options.view]);
  // An unknown relation can lead to many records, which cost more (rules 15.18 to 15.20).
  const toMany = new Set(include.filter((name) => reachOf(resource, name) !== 'one'));
  const cost = requestCost({ method: 'GET', query, collection: false, toMany });
  const paths = rest.map((id) => itemPath(resource, id, parent));
  if (asPage) {
    const { viewRecords } = await import('./view.ts');
    return viewRecords(context, resource, { paths, ids: rest, query, include, cost, comments: options.comments, all: options.all });
  }
  const read = async (path: string) => {
    const { record, etag = null } = await recordToSee(context, path, query, { cost });
    return options.withEtag ? { ...record, etag } : record;
  };
  const [only = ''] = paths;
  if (paths.length === 1) return printRecord(context, await read(only), viewOf(resource));
  const missing: Missing[] = [];
  await printRows(context, eachFound(paths, read, missing), viewOf(resource));
  if (missing.length > 0) throw notAllFound(resource, missing, rest);
}

function checkPage(
  resource: Resource,
  { comments, all }: { readonly comments?: true | undefined; readonly all?: true | undefined },
  asPage: boolean,
): void {
  if (comments && !hasComments(resource))
    throw new UsageError(`--comments: ${pluralOf(resource)} have no comments that svc knows of.`, {
      hint: 'Work items and drive items have comments.',
    });
  const flag = comments ? '--comments' : all ? '--all' : undefined;
  if (flag === undefined || asPage) return;
  throw new UsageError(`You can use ${flag} only at a terminal, in the default format.`, {
    hint: comments ? 'For data: --include comments' : 'Other formats have every field.',
  });
}

function onlyPage(resource: Resource, ids: readonly string[]): string {
  const [only = ''] = ids;
  if (resource.fields['web_url'] === undefined)
    throw new UsageError(`--web: ${pluralOf(resource)} have no page that svc knows of.`, {
      hint: 'Projects and work items have a page: svc open ABC-12',
    });
  if (ids.length > 1) throw new UsageError('--web opens one page at a time.', { hint: 'Name one record.' });
  return only;
}
