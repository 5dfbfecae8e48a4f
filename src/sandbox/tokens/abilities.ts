/** The classes, each including the ones before it (rules 11.6, 11.7). */
const CLASSES = ['read', 'write', 'destroy'] as const;
export type AbilityClass = (typeof CLASSES)[number];

/** The class that an operation needs, for any one of these resource prefixes; no prefixes: any `api:` ability does. */
export interface Need {
  readonly class: AbilityClass;
  readonly prefixes: readonly string[] | 'any' | 'unnarrowed';
}

/** Whether one of the abilities covers the need. There is no wildcard; `mcp:use` covers nothing here. */
export function covers(abilities: readonly string[], need: Need): boolean {
  return abilities.some((ability) => {
    const [api, abilityClass, prefix] = ability.split(':');
    if (api !== 'api' || rank(abilityClass) < rank(need.class)) return false;
    if (prefix === undefined || need.prefixes === 'any') return true;
    return need.prefixes !== 'unnarrowed' && need.prefixes.includes(prefix);
  });
}

function rank(abilityClass: string | undefined): number {
  const known: readonly (string | undefined)[] = CLASSES;
  return known.indexOf(abilityClass);
}

/** Scopes times resources, as choosing both on the token page gives (rules 12.23, 12.24); unknown resources are dropped. */
export function abilitiesOf(classes: readonly AbilityClass[], resources: readonly string[], known: readonly string[]): string[] {
  if (resources.length === 0) return classes.map((abilityClass) => `api:${abilityClass}`);
  const kept = resources.filter((resource) => known.includes(resource));
  return classes.flatMap((abilityClass) => kept.map((resource) => `api:${abilityClass}:${resource}`));
}
