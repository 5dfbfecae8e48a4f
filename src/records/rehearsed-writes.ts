import type { Resource } from '../catalog/define.ts';
import { isWritable } from '../catalog/rules.ts';
import { NotFoundError, undefinedFor } from '../errors.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { PlannedWrite } from '../journal/plan-file.ts';
import { mapStrings, referredWrite } from '../journal/plan-references.ts';
import { UPLOAD_TICKET } from '../journal/undo-plan.ts';
import { writtenMembers } from '../journal/written-values.ts';
import type { Needs } from '../session/context.ts';
import { changedRecord, isCreation, writtenRecordPath } from '../session/planning.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonObjectIn, ownEntry, scalarText, stringifyJson } from '../values/json.ts';
import { hasOnlyDigits } from '../values/text.ts';
import { recordNow } from './record-at.ts';

/** The reason why svc cannot add a write to the plan. */
class Unplannable extends Error {}

/** A write in a sandbox, and its place in the plan for the organisation. */
export interface RehearsedWrite {
  readonly entry: JournalEntry;
  /** The number of the write in the plan, from 1. Undefined if the plan does not have the write; `reason` then has the reason. */
  readonly number: number | undefined;
  readonly reason: string | undefined;
  /** True if the write has no effect in the sandbox, for example after an undo. */
  readonly isWithoutEffect: boolean;
}

export interface Rehearsal {
  /** The hosts: `127.0.0.1:4010` and `acme.example.com`. */
  readonly sandbox: string;
  readonly organisation: string;
  readonly canDelete: boolean;
  readonly isWanted: (entry: JournalEntry) => boolean;
  /** Replaces each value for which the sandbox has a pseudonym. Returns any other value unchanged. */
  readonly disguise: (values: JsonObject, resource: Resource | undefined) => JsonObject;
  /** The highest id of each resource when the sandbox started. The sandbox created the records with higher ids. */
  readonly lastIds: Readonly<Record<string, number>>;
  /** Returns the key of the write in the plan. @param taken the keys of the earlier writes whose records the write names. */
  readonly keyOf: (entry: JournalEntry, taken: readonly string[]) => string;
}

/**
 * Turns the writes of a sandbox into planned writes for the organisation. The ids of records that the sandbox created become references to
 * the earlier write of the plan. A write that creates no record has the earlier values of its record as a precondition.
 *
 * @param entries the writes of the sandbox, oldest first.
 */
export async function planRehearsal(
  context: Needs<'catalog' | 'client'>,
  entries: readonly JournalEntry[],
  rehearsal: Rehearsal,
): Promise<{ readonly rehearsed: readonly RehearsedWrite[]; readonly writes: readonly PlannedWrite[] }> {
  const { disguise, isWanted, keyOf, lastIds } = rehearsal;
  const writes: PlannedWrite[] = [];
  const rehearsed: RehearsedWrite[] = [];
  /** The created records, by resource and id: the write in the plan, or the entry of an unplanned write. */
  const created = new Map<string, { readonly write: number } | { readonly entry: number }>();
  /** The entries that the plan does not have, by the record that they changed. */
  const unplanned = new Map<string, number>();
  const idsByKey = new Map<string, string>();
  /** The keys of the created work items. Texts with such a key are wrong in the organisation, which gives another key. */
  const newKeys = new Set<string>();

  for (const entry of entries) {
    const place = await placeOf(context, entry);
    const { id, key, newRecord, record } = place;
    if (key !== undefined && id !== undefined) idsByKey.set(key, id);
    if (newRecord?.startsWith('work-items ')) newKeys.add(await keyOfItem(entry.recordId ?? ''));
    const isWithoutEffect = effectless(entry) !== undefined;
    try {
      if (isWanted(entry)) writes.push(await plannedWrite(entry, place));
      if (newRecord !== undefined) created.set(newRecord, isWanted(entry) ? { write: writes.length } : { entry: entry.number });
      if (isWanted(entry)) rehearsed.push({ entry, number: writes.length, reason: undefined, isWithoutEffect });
    } catch (error) {
      if (!(error instanceof Unplannable)) throw error;
      if (newRecord !== undefined) created.set(newRecord, { entry: entry.number });
      if (record !== undefined && !isWithoutEffect) unplanned.set(record, entry.number);
      rehearsed.push({ entry, number: undefined, reason: error.message, isWithoutEffect });
    }
  }
  return { rehearsed, writes };

  /** @throws Unplannable with the reason why the plan cannot have the write. */
  async function plannedWrite(entry: JournalEntry, { isCreate, noun, parts, record, resource }: Place): Promise<PlannedWrite> {
    const earlier = record === undefined ? undefined : unplanned.get(record);
    const reason =
      effectless(entry) ??
      reasonAgainst(entry, isCreate, rehearsal) ??
      (earlier === undefined ? undefined : `the plan does not have entry ${earlier}, which changed the same record`);
    if (reason !== undefined) throw new Unplannable(reason);
    const takes = new Set<number>();
    const carriedParts: string[] = [];
    for (const { text, of } of parts) carriedParts.push(of === undefined ? text : scalarText(await carryId(of, text, takes)));
    const text = entry.body && new TextDecoder().decode(entry.body);
    const body = text === undefined ? undefined : jsonObjectIn(text);
    const members = body && writtenMembers(body);
    const known = isCreate ? undefined : earlierValues(entry, resource, members);
    const isReal = ([name, value]: [string, JsonValue]) =>
      stringifyJson(disguise({ [name]: value }, resource)) === stringifyJson({ [name]: value });
    const compared = known && Object.fromEntries(Object.entries(known).filter(isReal));
    const isKnown = ([name, value]: [string, JsonValue]) =>
      isReal([name, value]) && (known?.[name] === undefined || isReal([name, known[name]]));
    const pseudonym = Object.entries(members ?? {}).find((member) => !isKnown(member));
    if (pseudonym !== undefined) throw new Unplannable(`${pseudonym[0]} can be a pseudonym`);
    const carried = members && (await carryValues(resource, members, takes));
    const before = compared && (await carryValues(resource, compared, takes));
    mapStrings(carried ?? {}, (each) => {
      const key = each.match(/[A-Z][A-Z0-9]*-\d+/g)?.find((word) => newKeys.has(word));
      if (key !== undefined) throw new Unplannable(`its text has ${key}, which is another key in ${rehearsal.organisation}`);
      return each;
    });
    mapStrings({ ...known, members: members ?? {} }, (each) => {
      if (takes.has(referredWrite(each) ?? 0)) throw new Unplannable(`svc cannot plan the text ${each}`);
      return each;
    });
    const numbers = [...takes].sort((one, other) => one - other);
    const taken = numbers.map((number) => writes[number - 1]?.key ?? '');
    const [, query = ''] = entry.path.split(/(?=\?)/, 2);
    return {
      method: entry.method as PlannedWrite['method'],
      path: `/${carriedParts.join('/')}${query}`,
      body: takes.size > 0 && carried !== undefined ? stringifyJson(members === body ? carried : { data: carried }) : text,
      key: keyOf(entry, taken),
      ifMatch: undefined,
      ...(before !== undefined && { before }),
      ...(takes.size > 0 && { takes: numbers }),
      noun,
      command: entry.command,
    };
  }

  /** Returns the reference to a record that the sandbox created. Returns any other value unchanged. */
  async function carryId(noun: string, value: JsonValue, takes: Set<number>): Promise<JsonValue> {
    const text = scalarText(value);
    const id = noun === 'work-items' && /^[A-Z]/.test(text) ? await idOfKey(text) : text;
    const made = created.get(`${noun} ${id}`);
    if (made === undefined && !(Number(id) > (ownEntry(lastIds, noun) ?? Number.POSITIVE_INFINITY))) return value;
    if (made === undefined) throw new Unplannable(`the write needs ${id} of ${noun}, which the sandbox created and your writes did not`);
    if ('entry' in made) throw new Unplannable(`the write needs the record of entry ${made.entry}, which the plan does not create`);
    takes.add(made.write);
    return `{${made.write}}`;
  }

  async function keyOfItem(id: string): Promise<string> {
    const found = await recordNow(context, `/work-items/${id}`).catch(undefinedFor(NotFoundError));
    return scalarText(found?.record['issue_key']);
  }

  /**
   * Returns the id of the work item with a key. If the sandbox created no work items, every key is from the organisation, and svc keeps the
   * key.
   */
  async function idOfKey(key: string): Promise<string> {
    const known = idsByKey.get(key);
    if (known !== undefined || !created.keys().some((name) => name.startsWith('work-items '))) return known ?? key;
    const found = await recordNow(context, `/work-items/${key}`).catch(undefinedFor(NotFoundError));
    if (found === undefined) throw new Unplannable(`svc does not know the id of ${key}`);
    return scalarText(found.record['id']);
  }

  async function carryValues(resource: Resource | undefined, values: JsonObject, takes: Set<number>): Promise<JsonObject> {
    const carried: [string, JsonValue][] = [];
    for (const [name, value] of Object.entries(values)) {
      const field = ownEntry(resource?.fields ?? {}, name);
      const noun = field?.ref ?? (field === undefined ? await nounNamed(context, name) : undefined);
      const ids: readonly JsonValue[] = Array.isArray(value) ? value : [value];
      const isId = noun !== undefined || (field === undefined ? /_ids?$/.test(name) : field.kind === 'id' || field.items === 'id');
      if (isId && noun === undefined && created.keys().some((each) => ids.some((one) => each.endsWith(` ${scalarText(one)}`))))
        throw new Unplannable(`svc does not know whether ${name} names a record that the sandbox created`);
      const changed = noun === undefined ? ids : await Promise.all(ids.map((each) => carryId(noun, each, takes)));
      carried.push([name, Array.isArray(value) ? changed : (changed[0] ?? null)]);
    }
    return Object.fromEntries(carried);
  }
}

type Place = Awaited<ReturnType<typeof placeOf>>;

async function placeOf({ catalog }: Needs<'catalog'>, { method, path, noun, recordId, before }: JournalEntry) {
  const texts = (path.split('?', 1)[0] ?? '').split('/').slice(1);
  const action = texts.includes('actions') ? texts.indexOf('actions') : texts.length;
  const [top = '', , below] = texts.slice(0, action);
  const found = await catalog.find(top);
  const child = found?.nested?.find((each) => each.noun === below);
  const own = below === undefined ? top : (child?.itemsOf ?? `${top}.${below}`);
  const typed = changedRecord(method, path)?.split('/').at(-1);
  const id = [typed, recordId, scalarText(before?.['id'])].find((text) => text !== undefined && hasOnlyDigits(text));
  const resource = below === undefined ? found : child;
  const isCreate = method === 'POST' && texts.length === (below === undefined ? 1 : 3) && resource !== undefined;
  return {
    /** The parts of the path. `of` is the resource of an id or a key. */
    parts: texts.map((text, index) => ({ text, of: index >= action || index % 2 === 0 ? undefined : index === 1 ? top : own })),
    resource,
    /** The resource of single records, such as `sales-invoice-rows` for rows of an invoice. */
    noun: child?.itemsOf ?? noun,
    isCreate,
    /** The changed and the created record, by resource and id: `worklogs 12`. */
    record: typed && `${own} ${id ?? typed}`,
    newRecord: isCreate && recordId !== undefined ? `${own} ${recordId}` : undefined,
    key: typed === undefined || hasOnlyDigits(typed) ? undefined : typed,
    id,
  };
}

/** Returns the reason why a write has no effect in the sandbox. Undefined for any other write. */
function effectless({ outcome, undoes, undoneBy, sentAt }: JournalEntry): string | undefined {
  if (undoneBy !== undefined) return `undone by entry ${undoneBy}`;
  if (outcome === 'done') return undoes === undefined ? undefined : `the write undid entry ${undoes}`;
  if (outcome === 'refused') return 'the service refused the write';
  return outcome === 'dropped' && sentAt === undefined ? 'you dropped the write' : undefined;
}

/** Returns the reason why no plan can have a write. Undefined if a plan can have the write. */
function reasonAgainst(
  { bodyWithheld, method, noun, number, outcome, path }: JournalEntry,
  isCreate: boolean,
  { canDelete, organisation, sandbox }: Rehearsal,
): string | undefined {
  if (outcome === 'waiting') return `the write waits in the outbox: svc outbox send ${number} --host ${sandbox}`;
  if (outcome === 'dropped') return 'you dropped the write after svc sent it, so svc does not know whether the write ran';
  if (outcome !== 'done') return `the write is unconfirmed: svc outbox send ${number} --host ${sandbox}`;
  if (bodyWithheld || noun === UPLOAD_TICKET) return 'svc does not keep the contents of files';
  if (method !== 'POST' && method !== 'PATCH' && method !== 'DELETE') return `a plan cannot have a ${method}`;
  const isAction = path.includes('/actions/');
  if (noun === 'timers' || (!isAction && !isCreation(path))) return 'a timer would run at another time';
  if (method === 'POST' && !isAction && !isCreate) return 'svc does not know what the write creates';
  if (method !== 'DELETE' || canDelete) return undefined;
  return `a delete needs a personal access token with Delete: svc token set --host ${organisation}`;
}

/**
 * Returns the earlier values of the written fields. For a delete or another action, returns the earlier values of all writable fields.
 * @throws Unplannable if the journal does not have the earlier values.
 */
function earlierValues({ before, method, path }: JournalEntry, resource: Resource | undefined, members: JsonObject = {}): JsonObject {
  const setsFields = method !== 'DELETE' && writtenRecordPath(method, path) !== undefined;
  const written = Object.keys(members);
  const unknown = setsFields ? written.filter((name) => ownEntry(before ?? {}, name) === undefined) : [];
  if (before === undefined || unknown.length > 0 || (setsFields && written.length === 0))
    throw new Unplannable(`svc did not read the earlier values${unknown.length === 0 ? '' : ` of ${unknown.join(', ')}`}`);
  const isCompared = (name: string, value: JsonValue) => {
    if (setsFields) return written.includes(name);
    const field = ownEntry(resource?.fields ?? {}, name);
    if (resource !== undefined) return isWritable(field, 'create') || isWritable(field, 'update');
    return !isJsonObject(value) && !/^(?:id|links|version)$|_at$/.test(name);
  };
  return Object.fromEntries(Object.entries(before).filter(([name, value]) => isCompared(name, value)));
}

/** Returns the resource that the name of a field ends with (rule 2.3): `work-items` for `after_work_item_id`. */
async function nounNamed({ catalog }: Needs<'catalog'>, name: string): Promise<string | undefined> {
  const words = /^(.*)_ids?$/.exec(name)?.[1]?.split('_') ?? [];
  for (; words.length > 0; words.shift()) {
    const found = await catalog.find(words.join('-'));
    if (found !== undefined) return found.noun;
  }
  return undefined;
}
