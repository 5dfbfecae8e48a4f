import type { Files } from '../deps.ts';
import { SvcError } from '../errors.ts';
import { isPlainObject, parsedJson } from '../values/json.ts';
import { assertGuarded } from './guarded.ts';

export type Texts = Readonly<Record<string, string>>;

/** Parses a JSON object of strings. Returns undefined for any other text. */
export function textsIn(text: string): Texts | undefined {
  const value = parsedJson(text);
  return isPlainObject(value) && Object.values(value).every((entry) => typeof entry === 'string') ? (value as Texts) : undefined;
}

/**
 * Reads a file with a JSON object of strings. Returns an empty object without a file.
 *
 * @throws SvcError for other contents, and if other users could have changed the file.
 */
export async function readTexts(
  files: Pick<Files, 'readText' | 'weakness'>,
  path: string,
  { what, hint }: { readonly what: string; readonly hint: string },
): Promise<Texts> {
  const text = await files.readText(path);
  if (text === undefined) return {};
  await assertGuarded(files, path, what);
  const content = textsIn(text);
  if (content === undefined) throw new SvcError(`${path} is not a JSON object of strings.`, { hint });
  return content;
}

export function writeTexts(files: Pick<Files, 'writeThroughLink'>, path: string, content: Texts): Promise<void> {
  return files.writeThroughLink(path, `${JSON.stringify(content, undefined, 2)}\n`);
}
