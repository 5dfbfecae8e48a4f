import type { Resource } from '../catalog/define.ts';
import { flagOf, writableFields } from '../catalog/rules.ts';
import { UsageError } from '../errors.ts';
import { markdownToHtml, tagsLost } from '../output/markdown-html.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';
import { isRichHtml } from '../values/text.ts';
import type { Typed } from './write-range.ts';

/**
 * Converts Markdown to rich text. Notices report the parts of the Markdown that rich text can’t express (rule 2.36).
 * @param isHtml true for `--html`. A text that starts with an HTML tag is HTML too.
 */
export async function richText(context: Needs<'notice'>, text: string, isHtml: boolean): Promise<string> {
  if (isHtml || isRichHtml(text)) return text;
  const { html, notes } = markdownToHtml(text);
  for (const note of notes) await context.notice(note);
  return html;
}

/** Checks that `--html` comes with a text. @throws UsageError if no field of kind `html` has a value. */
export function checkHtmlFlag(resource: Resource, operation: 'create' | 'update', body: JsonObject): void {
  const rich = writableFields(resource, operation).filter(([, { kind }]) => kind === 'html');
  if (rich.some(([name]) => body[name] !== undefined)) return;
  const flags = rich.map(([name, field]) => `--${flagOf(name, field)}`).join(' or ');
  throw new UsageError(`--html sets the format of ${flags}, and you gave no such text.`, { hint: `Leave out --html, or add ${flags}.` });
}

/**
 * Reports the tags that the service removed. The allowed tags are not documented (rule 2.36). If the answer does not show the text, svc
 * reports nothing.
 */
export async function reportTagsLost(
  context: Needs<'notice'>,
  resource: Resource,
  { body, typed }: { readonly body: JsonObject; readonly typed: Typed },
  record: JsonObject,
): Promise<void> {
  for (const [name, { kind }] of writableFields(resource, 'create')) {
    const [sent, stored] = [body[name], record[name]];
    if (kind !== 'html' || !typed.has(name) || typeof sent !== 'string' || typeof stored !== 'string') continue;
    const lost = tagsLost(sent, stored);
    if (lost.length > 0) await context.notice(`The service removed ${lost.join(', ')} from ${name}, and possibly the words inside.`);
  }
}
