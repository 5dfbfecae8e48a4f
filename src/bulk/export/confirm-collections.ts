import type { ApiClient } from '../../client/api-client.ts';
import { LISTING, undefinedIfRefused } from '../../client/assumed.ts';
import type { LanedClient } from '../../client/lanes.ts';
import { ForbiddenError, UsageError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { inOrder } from '../in-order.ts';
import type { Collection, Excluded, ExportChoice } from './collections.ts';
import { whyNoCollection } from './no-collection.ts';

/** The choice of paths that svc tries. */
export interface TriedPaths {
  /** The resources that the user names; none for all. */
  readonly names: readonly string[];
  /** Whether svc knows already that a path is a list, or that it is none. */
  readonly isKnown: (collection: Collection) => boolean;
  /** Whether child records are wanted: their top-level lists replace a request for each parent. */
  readonly hasChildren: boolean;
}

/**
 * Tries each path that may be no list, with one request without parameters: a list that the documentation names and discovery does not,
 * and a path without single records. svc remembers a refusal for a day.
 *
 * @throws UsageError if the user names a list that the service refuses.
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
    if (outcome === 'none' && named.has(each.noun))
      throw new UsageError(`The service has no list of all ${each.noun}.`, {
        hint: `Name the resource with these child records: ${parentsOf(choice, each)}`,
      });
    if (outcome === 'none') continue;
    if (outcome === 'list' || outcome.reason === undefined) collections.push(each);
    else notCollections.push({ path: each.path, reason: outcome.reason });
  }
  return { ...choice, collections, notCollections: [...choice.notCollections, ...notCollections] };
}

/** `list`: a list; `none`: the service does not list these records here; else why it may be none. */
type Outcome = 'list' | 'none' | { readonly reason: string | undefined };

async function isAnswered(client: ApiClient, path: string): Promise<boolean> {
  try {
    const answer = await client.send({ method: 'GET', path, assumed: [LISTING] }).catch(undefinedIfRefused(LISTING));
    return answer !== undefined;
  } catch (error) {
    // Below its parents, the service may show more.
    if (error instanceof ForbiddenError) return false;
    throw error;
  }
}

function parentsOf({ nested }: ExportChoice, { noun }: Collection): string {
  return [...new Set(nested.filter(({ sameAs }) => sameAs === noun).map(({ parent }) => parent))].join(' ') || 'svc resources';
}
