import type { Resource } from '../../catalog/define.ts';
import { singularName } from '../../catalog/rules.ts';
import { DeclinedError, SvcError } from '../../errors.ts';
import { recordAt } from '../../records/record-at.ts';
import type { Asking, Needs } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';

/**
 * Warns before a write replaces formatting that Markdown does not have (rule 2.39). Asks at a terminal whether to continue. Costs one
 * request if the body has a Markdown field.
 *
 * @throws DeclinedError if the user says no.
 */
export async function confirmMarkdown(
  context: Needs<Asking | 'client' | 'globals' | 'notice'>,
  resource: Resource,
  path: string,
  body: JsonObject,
): Promise<void> {
  const written = Object.keys(body).find((name) => resource.fields[name]?.kind === 'markdown');
  if (written === undefined) return;
  const { described, relations = {} } = resource;
  // Without an API spec, svc assumes that the service has the HTML field.
  if (described?.includes && !Object.hasOwn(relations, `${written}_html`)) return;
  const lost = await formattingAt(context, path, `${written}_html`);
  if (lost.length === 0) return;
  await context.notice(
    `This ${singularName(resource)} has ${lost.join(', ')}. Markdown has no such formatting, so your text removes the formatting.`,
  );
  if (context.globals.yes || !context.interactive) return;
  if (!(await context.prompts.confirm('Write the text anyway?', context.signal)))
    throw new DeclinedError('svc changed nothing.', { hint: 'You said no.' });
}

/** Lists the formatting that Markdown would lose. The list is empty if svc cannot read the HTML field. */
async function formattingAt(context: Needs<'client' | 'signal'>, path: string, field: string): Promise<string[]> {
  try {
    const html = (await recordAt(context, path, [['include', field]])).record[field];
    return typeof html === 'string' ? markdownLoses(html) : [];
  } catch (error) {
    if (!(error instanceof SvcError) || context.signal.aborted) throw error;
    return [];
  }
}

const LOSSES: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['text colours', /<[^>]+style="[^"]*(?<![-\w])color\s*:|<font\b[^>]*\bcolor=/i],
  ['highlights', /<mark\b|<[^>]+style="[^"]*background(?:-color)?\s*:/i],
  ['alignment', /<[^>]+style="[^"]*text-align\s*:|<(?!t[dh]\b)[^>]+\balign=/i],
  ['mentions', /<[^>]+(?:class="[^"]*mention|data-[\w-]*mention|data-type="mention")/i],
];

export function markdownLoses(html: string): string[] {
  return LOSSES.filter(([, pattern]) => pattern.test(html)).map(([what]) => what);
}
