import type { Needs } from '../session/context.ts';
import { scalarText } from '../values/json.ts';
import { allRows } from './all-rows.ts';

/** A project, with the fields that distinguish it from others. */
export interface ProjectName {
  readonly id: number;
  readonly name: string;
  /** The beginning of its work items' keys, where the record shows it. */
  readonly key: string;
}

/** Every project that may be seen: a request for each hundred. */
export async function readProjects(context: Needs<'client'>): Promise<readonly ProjectName[]> {
  const found: ProjectName[] = [];
  for await (const record of allRows(context, '/projects')) {
    const id = record['id'];
    if (typeof id === 'number')
      found.push({ id, name: scalarText(record['name']), key: scalarText(record['key_prefix'] ?? record['key']) });
  }
  return found;
}

/** The projects that a text may mean: by id or key; else by their exact name; else by their name in another case. */
export function matchProject(text: string, projects: readonly ProjectName[]): readonly ProjectName[] {
  const typed = text.trim();
  const plain = (name: string) => name.trim().normalize('NFC');
  const tests: readonly ((project: ProjectName) => boolean)[] = [
    ({ id }) => String(id) === typed,
    ({ key }) => key !== '' && key === typed.toUpperCase(),
    ({ name }) => plain(name) === plain(typed),
    ({ name }) => plain(name).toLowerCase() === plain(typed).toLowerCase(),
  ];
  for (const test of tests) {
    const found = projects.filter(test);
    if (found.length > 0) return found;
  }
  return [];
}
