import type { Field, Resource } from '../../catalog/define.ts';
import { flagOf, writableFields } from '../../catalog/rules.ts';
import { askField, askLine } from '../../records/ask-field.ts';
import type { ReadBody } from '../../records/body.ts';
import type { ReadingValues } from '../../records/kinds.ts';
import { richText } from '../../records/rich-text.ts';
import { printRange } from '../../records/write-range.ts';
import type { Context, Needs } from '../../session/context.ts';
import { flagWords, printCommandLine } from '../../session/printed-command.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import { capitalised } from '../../values/text.ts';
import { hasEditor, writeText } from '../editor.ts';

export type AskingFields = ReadingValues | 'argv' | 'env' | 'files' | 'paths' | 'programs' | 'settings' | 'stdio' | 'system';

export interface Answered extends ReadBody {
  /** The path of the file with a text from the editor. svc removes the file after sending the text. Undefined without such a file. */
  readonly draft: string | undefined;
}

/**
 * Asks the user for missing required fields and long texts of a record. Then prints the same command with all answers. The user can skip a
 * field that the service does not document as required.
 */
export async function askMissing(context: Needs<AskingFields>, resource: Resource, read: ReadBody, isHtml: boolean): Promise<Answered> {
  const open = missing(resource, read.body);
  if (open.length === 0) return { ...read, draft: undefined };
  const fields: Record<string, JsonValue> = {};
  const typed = new Map<string, string>();
  const words: string[] = [];
  let draft: string | undefined;
  for (const [name, field] of open) {
    const flag = flagOf(name, field);
    if (field.long && (await hasEditor(context))) {
      const written = await writeText(context, resource.singular, isHtml ? 'html' : 'md');
      draft = written.file;
      typed.set(name, written.text);
      fields[name] = await asSent(context, field, written.text, isHtml);
      words.push(...flagWords(flag, lineOf(written.text) ?? `@${resource.singular}.${isHtml ? 'html' : 'md'}`));
      continue;
    }
    const question = `${capitalised(name)}${field.kind === 'html' && !isHtml ? ', in Markdown' : ''}:`;
    const answer = field.long
      ? await askLine(context, question, isOptional(field), (text) => asSent(context, field, text, isHtml))
      : await askField(context, name, field, { optional: isOptional(field) });
    if (answer === undefined) continue;
    fields[name] = answer.value;
    typed.set(name, answer.word);
    words.push(...(field.kind === 'boolean' ? [answer.value === true ? `--${flag}` : `--no-${flag}`] : flagWords(flag, answer.word)));
  }
  await printCommandLine(context, words);
  const body = { ...read.body, ...fields };
  await printRange(context, resource, body, typed);
  return { body, typed: new Map([...read.typed, ...typed]), draft };
}

function missing(resource: Resource, body: JsonObject): [string, Field][] {
  const absent = writableFields(resource, 'create').filter(([name]) => body[name] === undefined);
  const required = absent.filter(([, field]) => field.required && field.default === undefined && !field.long);
  return [...required, ...absent.filter(([, { long }]) => long)];
}

function isOptional({ assumed, required }: Field): boolean {
  return assumed === true || required !== true;
}

async function asSent(context: Pick<Context, 'notice'>, { kind }: Field, text: string, isHtml: boolean): Promise<string> {
  return kind === 'html' ? richText(context, text, isHtml) : text;
}

/** Trims a text for the value of a flag. Returns undefined for several lines, and for text that a flag would interpret. */
function lineOf(text: string): string | undefined {
  const line = text.trim();
  return /[\r\n]|^@|^(?:null|none)$/.test(line) ? undefined : line;
}
