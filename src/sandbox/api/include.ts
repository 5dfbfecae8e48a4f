import type { SandboxKnobs } from '../knobs.ts';
import { relationName, type ServedResource } from '../resources/define.ts';
import { refusal, takesInclude } from './offered.ts';

/** The target of one include path. */
export interface IncludedRelation {
  readonly many: boolean;
  /** Absent for a field that is shown on demand. */
  readonly resource?: ServedResource;
}

/** Rows of a page at most (rule 8.3). */
export const MOST_ROWS = 100;

/** Rows of a page at most when it includes this to-many relation (rules 8.4, 8.5). */
export function rowsWith(path: string): number {
  return path === 'tags' ? 50 : 25;
}

/** Relations to show, and those to show inside of them. */
export interface Includes {
  readonly [relation: string]: Includes;
}

/** The target of a name in `include`; undefined when there is none. */
export function relation(resource: ServedResource, name: string): IncludedRelation | undefined {
  // A name may be any text: `__proto__`, `constructor`.
  const many = Object.hasOwn(resource.many, name) ? resource.many[name] : undefined;
  if (many !== undefined) return { many: true, resource: resource.other(many.resource) };
  if (Object.hasOwn(resource.fields, name) && resource.fields[name]?.shown === 'demand') return { many: false };
  for (const [fieldName, field] of Object.entries(resource.fields)) {
    if (relationName(fieldName, field) === name && field.to !== undefined) return { many: false, resource: resource.other(field.to) };
  }
  return undefined;
}

/** Every name that `include` takes on this resource. */
export function includeNames(resource: ServedResource, knobs: SandboxKnobs): string[] {
  const toOne = Object.entries(resource.fields).flatMap(
    ([name, field]) => relationName(name, field) ?? (field.shown === 'demand' ? name : []),
  );
  return [...toOne, ...Object.keys(resource.many)].filter((name) => takesInclude(knobs, resource, name));
}

/** Follows `work_item.project`; the path is to-many when any step is. Undefined when a step is unknown or not taken. */
function follow(resource: ServedResource, path: string, knobs: SandboxKnobs): { many: boolean } | undefined {
  let at: ServedResource | undefined = resource;
  let many = false;
  for (const step of path.split('.')) {
    const next: IncludedRelation | undefined = at === undefined || !takesInclude(knobs, at, step) ? undefined : relation(at, step);
    if (next === undefined) return undefined;
    many ||= next.many;
    at = next.resource;
  }
  return { many };
}

/** Rate-limit units of the include parameter: 1 for a to-one path, 3 for a to-many path; a repeated path counts each time. */
export function includeCost(resource: ServedResource, query: URLSearchParams, knobs: SandboxKnobs): number {
  const paths = query.get('include')?.split(',') ?? [];
  return paths.reduce((units, path) => {
    const known = follow(resource, path, knobs);
    return units + (known === undefined ? 0 : known.many ? 3 : 1);
  }, 0);
}

/** @returns the tree of relations, and how many rows a page may have with them. @throws Problem for an unknown path. */
export function parseInclude(
  resource: ServedResource,
  query: URLSearchParams,
  knobs: SandboxKnobs,
): { includes: Includes; maxPerPage: number } {
  const text = query.get('include');
  const tree: MutableIncludes = {};
  let maxPerPage = MOST_ROWS;
  if (text === null) return { includes: tree, maxPerPage };
  for (const path of text.split(',')) {
    const known = follow(resource, path, knobs);
    if (known === undefined) {
      const names = includeNames(resource, knobs).join(', ') || 'nothing';
      throw refusal(knobs, 'value', 'include', `include takes ${names} here, not ${path}.`);
    }
    if (known.many) maxPerPage = Math.min(maxPerPage, rowsWith(path));
    let at = tree;
    for (const step of path.split('.')) {
      const next = at[step] ?? {};
      at[step] = next;
      at = next;
    }
  }
  return { includes: tree, maxPerPage };
}

interface MutableIncludes {
  [relation: string]: MutableIncludes;
}
