import type { ApiClient } from '../../client/api-client.ts';
import { LISTING, undefinedIfRefused } from '../../client/assumed.ts';
import type { LanedClient } from '../../client/lanes.ts';
import { ForbiddenError, UsageError, undefinedFor } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { inOrder } from '../in-order.ts';
import type { Collection, Excluded, ExportChoice } from './collections.ts';
import { whyNoCollection } from './no-collection.ts';

export interface TriedPaths {
  /** The resources that the user names. An empty list means all resources. */
  readonly names: readonly string[];
  readonly isKnown: (collection: Collection) => boolean;
  /** True if svc exports child records. svc then also tries top-level lists of child records, which save one request per parent. */
  readonly hasChildren: boolean;
}

/**
 * Removes the paths that are not lists from the choice. svc sends one request to each path that is possibly not a list. For a day, svc
 * remembers that an assumed list does not exist.
 *
 * @throws UsageError if the service has no list of a named resource.
 */
export async function confirmCollections(
  { catalog }: Needs<'catalog'>,
  client: LanedClient,
  choice: ExportChoice,
  { names, isKnown, hasChildren }: TriedPaths,
): Promise<ExportChoice> {
  const collections: Collection[] = [];
  const notCollections: Excluded[] = [];
  const named = new Set(names.length === 0 ? [] : choice.collections.map(({ noun }) => noun));
  const tryOne = async (each: Collection): Promise<Outcome> => {
    if (isKnown(each) || (each.hasItems && !each.isAssumed)) return 'list';
    if (!each.isAssumed) return { reason: await whyNoCollection(client, each.path) };
    const resource = await catalog.find(each.noun);
    const isDocumented = resource !== undefined && (resource.verbs ?? ['list']).includes('list');
    return isDocumented && (await isAnswered(client, each.path)) ? 'list' : 'none';
  };
  const open = [...choice.collections, ...(hasChildren ? choice.ofChildren : [])];
  for await (const [each, outcome] of inOrder(open, client.max, async (each) => [each, await tryOne(each)] as const)) {
    if (outcome === 'none' && named.has(each.noun)) {
      const parents = choice.nested.filter(({ sameAs }) => sameAs === each.noun).map(({ parent }) => parent);
      throw new UsageError(`The service has no list of all ${each.noun}.`, {
        hint: `Name the resource with these child records: ${[...new Set(parents)].join(' ') || 'svc resources'}`,
      });
    }
    if (outcome === 'none') continue;
    if (outcome === 'list' || outcome.reason === undefined) collections.push(each);
    else notCollections.push({ path: each.path, reason: outcome.reason });
  }
  return { ...choice, collections, notCollections: [...choice.notCollections, ...notCollections] };
}

type Outcome = 'list' | 'none' | { readonly reason: string | undefined };

async function isAnswered(client: ApiClient, path: string): Promise<boolean> {
  const sending = client.send({ method: 'GET', path, assumed: [LISTING] }).catch(undefinedIfRefused(LISTING));
  // After a 403, the lists under single parents are possibly still readable.
  return (await sending.catch(undefinedFor(ForbiddenError))) !== undefined;
}
