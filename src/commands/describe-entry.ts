import type { Resource } from '../catalog/define.ts';
import { flagOf, singularName } from '../catalog/rules.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { writtenBody } from '../journal/written-values.ts';
import { cellText, type ShowDateTime } from '../output/cell.ts';
import { singularOf } from '../schema/names.ts';
import { type JsonObject, type JsonValue, scalarText, stringifyJson } from '../values/json.ts';
import { quote } from '../values/text.ts';

/** Describes a write as a request, in at most 160 characters: `PATCH /worklogs/5902: minutes 60`. */
export function entrySummary(entry: Pick<JournalEntry, 'body' | 'method' | 'path'>): string {
  const fields = Object.entries(writtenBody(entry) ?? {}).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : stringifyJson(value)}`,
  );
  return [`${entry.method} ${entry.path}`, fields.join(', ')]
    .filter((part) => part !== '')
    .join(': ')
    .slice(0, 160);
}

/**
 * Describes the record and the effect of a write: `#5916 1h02 ABC-12`, `label #3 color blue → red`, `ABC-12 → Done`.
 *
 * @param showDateTime Formats a date-time of the service for people.
 */
export function entryEffect(entry: JournalEntry, resource: Resource | undefined, showDateTime: ShowDateTime): string {
  const { method, noun, path, recordId, undoes } = entry;
  const [bare = ''] = path.split('?', 1);
  const [, key] = new RegExp(`/(${KEY})(?:/|$)`).exec(bare) ?? [];
  const name = key ?? (recordId === undefined ? undefined : `#${recordId}`);
  const isChild = new RegExp(`/${KEY}/(?!actions/)`).test(bare);
  const isNamed = (key !== undefined && !isChild) || noun === 'worklogs';
  const what = isNamed ? undefined : resource === undefined ? noun && singularOf(noun) : singularName(resource);
  const effect = undoes === undefined ? effectOf(entry, resource, bare, showDateTime) : `undo of ${undoes}`;
  return [what, isChild ? `on ${name}` : name, effect].filter(Boolean).join(' ') || `${method} ${path}`;
}

const KEY = '[A-Z][A-Z0-9]*-\\d+';

function effectOf(entry: JournalEntry, resource: Resource | undefined, path: string, showDateTime: ShowDateTime): string {
  const { before, command, method, noun } = entry;
  const [, action] = /\/actions\/([^/]+)$/.exec(path) ?? [];
  const body = writtenBody(entry) ?? {};
  if (action === 'transition') return `→ ${typedStatus(command) ?? `status ${scalarText(body['workflow_status_id'])}`}`;
  if (action !== undefined) return action;
  if (method === 'DELETE') return noun === 'timers' ? 'ended' : 'deleted';
  if (method === 'PATCH') return changesText(resource, body, before, showDateTime);
  const { minutes, name, title } = body;
  const called = scalarText(name ?? title) || placeText(entry, body);
  return typeof minutes === 'number' ? `${valueText(resource, 'minutes', minutes, showDateTime)} ${called}`.trim() : called || 'created';
}

/** Lists the written fields, with each different old value that svc has read: `minutes 1h30 → 2h`. */
export function changesText(
  resource: Resource | undefined,
  body: JsonObject,
  before: JsonObject = {},
  showDateTime: ShowDateTime = (utc) => utc,
): string {
  return Object.entries(body)
    .map(([name, value]) => {
      const called = fieldWords(resource, name);
      const old = before[name] === undefined ? undefined : valueText(resource, name, before[name], showDateTime);
      const now = valueText(resource, name, value, showDateTime);
      return old === undefined || old === now ? `${called} ${now}` : `${called} ${old} → ${now}`;
    })
    .join(', ');
}

/** Returns the name of a field for a sentence: `due date`. */
export function fieldWords(resource: Resource | undefined, name: string): string {
  const field = resource?.fields[name];
  return (field === undefined ? name : flagOf(name, field)).replaceAll('-', ' ');
}

/** Returns a field’s value on one line, shortened to 40 characters. Quotes a text with spaces. An empty value becomes `none`. */
function valueText(resource: Resource | undefined, name: string, value: JsonValue, showDateTime: ShowDateTime): string {
  const text = cellText(value, resource?.fields[name]?.kind, showDateTime);
  if (text === '') return 'none';
  const short = text.length > 40 ? `${text.slice(0, 39)}…` : text;
  if (name.endsWith('_id') && /^\d+$/.test(short)) return `#${short}`;
  return /\s/.test(short) ? quote(short) : short;
}

/** Returns words for logged hours: the typed key, otherwise the description, otherwise the id of the work item or project. */
function placeText({ command, key }: JournalEntry, { description, work_item_id: item, project_id: project }: JsonObject): string {
  // After `timers switch`, the typed work item belongs to the next timer.
  const isTyped = (item ?? null) !== null && !key.startsWith('svc-timer-');
  const typed = isTyped ? command.find((word) => new RegExp(`^${KEY}$`).test(word)) : undefined;
  const text = scalarText(description);
  if (typed !== undefined || text !== '') return typed ?? quote(text);
  if ((item ?? null) !== null) return `work item #${scalarText(item)}`;
  return (project ?? null) === null ? '' : `project #${scalarText(project)}`;
}

/** Returns the name of the status that the user typed after `--to`. Returns undefined for an id. */
function typedStatus(command: readonly string[]): string | undefined {
  const index = command.findIndex((word) => word === '--to' || word.startsWith('--to='));
  const typed = index < 0 ? undefined : command[index] === '--to' ? command[index + 1] : command[index]?.slice('--to='.length);
  return typed === undefined || /^\d+$/.test(typed) ? undefined : typed;
}
