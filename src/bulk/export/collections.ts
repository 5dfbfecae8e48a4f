import { UsageError } from '../../errors.ts';
import { pathOf } from '../../records/discovery-entry.ts';
import type { JsonObject } from '../../values/json.ts';
import { nearest } from '../../values/suggest.ts';

/** A collection that can be exported. */
export interface Collection {
  /** Its path without the slash: `work-items`. */
  readonly noun: string;
  readonly path: string;
}

/**
 * Every collection that discovery lists and that needs no parent, or those that were named.
 *
 * @throws UsageError for a name that is none of them.
 */
export function chooseCollections(entries: readonly JsonObject[], names: readonly string[]): Collection[] {
  const all = entries.flatMap((entry) => {
    const path = pathOf(entry['path']);
    return path === undefined || !/^\/[a-z0-9-]+$/.test(path) ? [] : [{ noun: path.slice(1), path }];
  });
  if (names.length === 0) return all;
  return [...new Set(names)].map((name) => {
    const found = all.find(({ noun }) => noun === name || noun === `${name}s`);
    if (found !== undefined) return found;
    const near = nearest(
      name,
      all.map(({ noun }) => noun),
    );
    throw new UsageError(`"${name}" is no collection of this organisation.`, {
      hint: near === undefined ? 'See: svc resources' : `Did you mean ${near}? All of them: svc resources`,
    });
  });
}
