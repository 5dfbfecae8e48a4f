import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { hostFileName } from '../../config/account-path.ts';
import { assertGuarded } from '../../config/guarded.ts';
import { NotFoundError, SvcError, UsageError } from '../../errors.ts';
import type { Seal } from '../../output/seal-report.ts';
import type { Needs } from '../../session/context.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
import { isJsonObject, isTooDeep, type JsonObject, type JsonValue, jsonObjectIn } from '../../values/json.ts';
import { pathIn } from '../../values/paths.ts';
import { writeOwnFile } from '../print-report.ts';

export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the canonical JSON of a record without `links`. @param fields The fields of a seal. Default: all fields of the record. */
export function sealedText({ links: _, ...record }: JsonObject, fields?: ReadonlySet<string>): string {
  return canonicalJson(fields ? Object.fromEntries(Object.entries(record).filter(([name]) => fields.has(name))) : record);
}

type SealFacts = Omit<Seal, 'version' | 'fields' | 'entries' | 'sha256' | 'seal_sha256'>;

export function makeSeal(facts: SealFacts, records: ReadonlyMap<number, JsonObject>): Seal {
  const names = [...records.values()].flatMap((record) => Object.keys(record)).filter((name) => name !== 'links');
  const entries = [...records]
    .map(([id, record]) => ({ id, sha256: sha256Of(sealedText(record)) }))
    .sort((one, other) => one.id - other.id);
  const open = { version: 1, ...facts, fields: [...new Set(names)].toSorted(), entries, sha256: sha256Of(canonicalJson(entries)) } as const;
  return { ...open, seal_sha256: sha256Of(canonicalJson(open)) };
}

/**
 * Reads a seal from an untrusted file, and checks the SHA-256 of the seal.
 *
 * @throws NotFoundError for an unreadable file, UsageError for a file that is not a seal, SvcError for a changed seal.
 */
export async function readSeal({ files, system }: Needs<'files' | 'system'>, file: string) {
  const path = resolve(system.cwd, file);
  const text = await files.readText(path).catch(() => undefined);
  if (text === undefined)
    throw new NotFoundError(`There is no readable seal: ${file}.`, { hint: 'Close the month first, or name a file.' });
  const value = isTooDeep(text) ? undefined : jsonObjectIn(text);
  if (value === undefined || !isSeal(value)) throw new UsageError(`${file} is not a seal that this svc can read.`, { hint: UNCHANGED });
  const { seal_sha256: whole, ...open } = value;
  if (sha256Of(canonicalJson(value.entries)) !== value.sha256 || sha256Of(canonicalJson(open)) !== whole)
    throw new SvcError(`Somebody changed ${file}: its contents do not match its SHA-256.`, { hint: UNCHANGED });
  return { path, text, seal: value };
}

const UNCHANGED = 'Use an unchanged copy of the file.';

function isSeal(value: JsonObject): value is Seal {
  const { version, host, month, account, team, people, read_at: at, signed, minutes, accepted, fields, entries, sha256 } = value;
  const listOf = (list: JsonValue | undefined, test: (item: JsonValue) => boolean) => Array.isArray(list) && list.every(test);
  const isText = (item: JsonValue | undefined) => typeof item === 'string';
  const hasTexts = (item: JsonValue, ...names: readonly string[]) => isJsonObject(item) && names.every((name) => isText(item[name]));
  return (
    [host, month, at, sha256].every(isText) &&
    [version, account, minutes].every(Number.isSafeInteger) &&
    version === 1 &&
    [team, signed].every((flag) => typeof flag === 'boolean') &&
    listOf(people, Number.isSafeInteger) &&
    listOf(fields, isText) &&
    listOf(accepted, (item) => hasTexts(item, 'finding', 'message', 'reason')) &&
    listOf(entries, (item) => hasTexts(item, 'sha256') && Number.isSafeInteger((item as JsonObject)['id']))
  );
}

/**
 * Returns the path of a seal: `<state>/seals/acme.example.com/user-5/2026-10.json`, or `2026-10-team.json`. Its signature is in
 * `<path>.sig`. The sealed records are in `<path>.records`, a canonical JSON text in each line.
 *
 * @throws UnguardedError if somebody else could change the seals.
 */
export async function sealPath(context: Needs<'files' | 'host' | 'paths'>, own: number, month: string, team: boolean): Promise<string> {
  await assertGuarded(context.files, context.paths.state, 'the seals');
  const host = hostFileName((await context.host()).name);
  return pathIn(context.paths.state, 'seals', host, `user-${own}`, `${month}${team ? '-team' : ''}.json`);
}

/**
 * Writes a seal, with its signature and its records. svc writes the seal last, so that a seal is always complete. Without a signature,
 * removes an earlier signature.
 */
export async function writeSeal(
  context: Needs<'files' | 'system'>,
  file: string,
  json: string,
  sig?: string,
  records?: string,
): Promise<void> {
  if (records !== undefined) await writeOwnFile(context, `${file}.records`, records);
  if (sig === undefined) await context.files.remove(resolve(context.system.cwd, `${file}.sig`));
  else await writeOwnFile(context, `${file}.sig`, sig);
  await writeOwnFile(context, file, json);
}

/**
 * Renames an earlier seal, its records and its signature. `2026-10.json` becomes `2026-10.0f3a….json`, with the first 12 digits of the
 * SHA-256.
 */
export async function keepEarlier({ files }: Needs<'files'>, path: string, digest: string): Promise<void> {
  const kept = path.replace(/\.json$/, `.${digest.slice(0, 12)}.json`);
  for (const part of ['.records', '.sig', '']) if (await files.stat(path + part)) await files.rename(path + part, kept + part);
}

/**
 * Returns the records in the files next to some seals, by SHA-256. A record that somebody changed has another SHA-256, so no entry of a
 * seal matches the record.
 */
export async function sealedRecords({ files }: Needs<'files'>, paths: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
  const texts = await Promise.all(paths.map((path) => files.readText(`${path}.records`)));
  const lines = texts.flatMap((text) => (text ?? '').split('\n'));
  return new Map(
    lines.flatMap((line) =>
      [isTooDeep(line) ? undefined : jsonObjectIn(line)].flatMap((record) => (record ? [[sha256Of(line), record] as const] : [])),
    ),
  );
}
