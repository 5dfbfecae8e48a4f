import { NotFoundError, UsageError } from '../errors.ts';
import { nearest } from '../values/suggest.ts';
import { type DirectoryFile, type DirectorySearch, directoryFiles } from './directory-file.ts';

/** An entry that a `.svc.json` has ready, as texts that a person might have typed. It comes with a checkout, so it fills these alone. */
export interface Template {
  readonly minutes: string | undefined;
  /** An id, a key or a name. */
  readonly project: string | undefined;
  /** An id or a key; goes before the project. */
  readonly workItem: string | undefined;
  readonly description: string | undefined;
}

/** A template, and the file that has it. */
export interface FoundTemplate {
  readonly template: Template;
  readonly file: DirectoryFile;
}

/**
 * The template of that name in the nearest `.svc.json` that has it.
 *
 * @throws NotFoundError where none has, UsageError for one that holds anything else than the fields of a {@link Template}.
 */
export async function findTemplate(search: DirectorySearch, name: string): Promise<FoundTemplate> {
  const names = new Set<string>();
  for await (const file of directoryFiles(search)) {
    if (Object.hasOwn(file.templates, name)) return { template: readTemplate(file, name), file };
    for (const known of Object.keys(file.templates)) names.add(known);
  }
  const near = nearest(name, [...names]);
  const there = near === undefined ? [...names].slice(0, 10).join(', ') : '';
  throw new NotFoundError(`No .svc.json here or above has a template ${name}.`, {
    hint:
      near !== undefined
        ? `Did you mean --template ${near}?`
        : there === ''
          ? 'Write one: {"templates": {"standup": {"minutes": "15m", "description": "Stand-up"}}}'
          : `There are: ${there}.`,
  });
}

/** The names of all templates there are, the nearest first; what cannot be read has none. */
export async function templateNames(search: DirectorySearch): Promise<readonly string[]> {
  const names = new Set<string>();
  try {
    for await (const { templates } of directoryFiles(search)) for (const name of Object.keys(templates)) names.add(name);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
  return [...names].filter((name) => /^[\w.-]{1,40}$/.test(name));
}

const MEMBERS = ['minutes', 'project', 'work_item', 'description'] as const;

function readTemplate({ path, templates }: DirectoryFile, name: string): Template {
  const refused = (what: string) =>
    new UsageError(`${path}: the template ${name} ${what}.`, { hint: `A template may hold ${MEMBERS.join(', ')}.` });
  const content = templates[name];
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw refused('is no object');
  const other = Object.keys(content).find((key) => !MEMBERS.some((member) => member === key));
  if (other !== undefined) throw refused(`holds ${other}`);
  const read = (member: (typeof MEMBERS)[number]) => {
    const value = (content as Readonly<Record<string, unknown>>)[member];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string' && typeof value !== 'number') throw refused(`has a ${member} that is no text`);
    return String(value).trim() || undefined;
  };
  return { minutes: read('minutes'), project: read('project'), workItem: read('work_item'), description: read('description') };
}
