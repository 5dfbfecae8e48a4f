import type { Field, Resource } from '../../catalog/define.ts';
import { flagOf, writableFields } from '../../catalog/rules.ts';
import { askField, askLine, type FieldAnswer } from '../../records/ask-field.ts';
import type { Understanding } from '../../records/kinds.ts';
import { richText } from '../../records/rich-text.ts';
import type { Context, Needs } from '../../session/context.ts';
import { flagWords, tellCommand } from '../../session/tell-command.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import { hasEditor } from '../editor.ts';
import { writeText } from './write-text.ts';

/** What a person said to the questions. */
export interface Asked {
  readonly fields: JsonObject;
  /** What was typed for each, as for a flag. */
  readonly typed: ReadonlyMap<string, string>;
  /** The file with a text that was written in the editor: it is kept until that is sent. */
  readonly draft: string | undefined;
}

/** Whether a create lacks something that a person could be asked for. */
export function lacksAnything(resource: Resource, body: JsonObject): boolean {
  return missing(resource, body).length > 0;
}

/**
 * Asks for what a create lacks, a question at a time: the fields that it requires (those that are only assumed to be may be left out),
 * and, in the editor, the text that the record is there for. Then says the command that would have asked nothing.
 */
export async function askMissing(
  context: Needs<Understanding | 'argv' | 'env' | 'files' | 'paths' | 'programs' | 'settings' | 'stdio' | 'system'>,
  resource: Resource,
  body: JsonObject,
  isHtml: boolean,
): Promise<Asked> {
  const fields: Record<string, JsonValue> = {};
  const typed = new Map<string, string>();
  const words: string[] = [];
  let draft: string | undefined;
  for (const [name, field] of missing(resource, body)) {
    const flag = flagOf(name, field);
    if (field.long && (await hasEditor(context))) {
      const written = await writeText(context, resource.singular, isHtml ? 'html' : 'md');
      draft = written.file;
      typed.set(name, written.text);
      fields[name] = await asSent(context, field, written.text, isHtml);
      words.push(...flagWords(flag, lineOf(written.text) ?? `@${resource.singular}.${isHtml ? 'html' : 'md'}`));
      continue;
    }
    const answer = field.long
      ? await askText(context, name, field, isHtml)
      : await askField(context, name, field, { optional: isOptional(field) });
    if (answer === undefined) continue;
    fields[name] = answer.value;
    typed.set(name, answer.word);
    words.push(...(field.kind === 'boolean' ? [answer.value === true ? `--${flag}` : `--no-${flag}`] : flagWords(flag, answer.word)));
  }
  await tellCommand(context, words);
  return { fields, typed, draft };
}

/** Required fields first, as the catalog has them; then what is written in the editor. */
function missing(resource: Resource, body: JsonObject): [string, Field][] {
  const absent = writableFields(resource, 'create').filter(([name]) => body[name] === undefined);
  const required = absent.filter(([, field]) => field.required && field.default === undefined && !field.long);
  return [...required, ...absent.filter(([, { long }]) => long)];
}

/** Whether one is really required is for the service to say where the documentation does not. */
function isOptional({ assumed, required }: Field): boolean {
  return assumed === true || required !== true;
}

/** Where no editor is set, a line. */
async function askText(context: Needs<Understanding>, name: string, field: Field, isHtml: boolean): Promise<FieldAnswer | undefined> {
  const question = `${name.charAt(0).toUpperCase()}${name.slice(1)}${field.kind === 'html' && !isHtml ? ', in Markdown' : ''}:`;
  return askLine(context, question, isOptional(field), (text) => asSent(context, field, text, isHtml));
}

async function asSent(context: Pick<Context, 'notice'>, { kind }: Field, text: string, isHtml: boolean): Promise<string> {
  return kind === 'html' ? richText(context, text, isHtml) : text;
}

/** A text that fits behind a flag as it is; undefined for one that does not, or that would be read as a file. */
function lineOf(text: string): string | undefined {
  const line = text.trim();
  return /[\r\n]|^@|^(?:null|none)$/.test(line) ? undefined : line;
}
