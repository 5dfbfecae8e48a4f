import type { Resource } from '../../catalog/define.ts';
import { thingOf } from '../../catalog/rules.ts';
import { DeclinedError, SvcError } from '../../errors.ts';
import { recordAt } from '../../records/record-at.ts';
import type { Asking, Needs } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';

/**
 * Before Markdown replaces a text that was formatted in the web app: says what of it Markdown cannot hold (rule 2.39), and
 * asks at a terminal. Costs one request, and only where a Markdown field is about to be written.
 *
 * @throws DeclinedError when the person says no.
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
  // That it can be asked for is a guess, where no description says what can.
  if (described?.includes && !Object.hasOwn(relations, `${written}_html`)) return;
  const lost = await formattingAt(context, path, `${written}_html`);
  if (lost.length === 0) return;
  await context.notice(`This ${thingOf(resource)} has ${lost.join(', ')}, which Markdown cannot hold: writing it back loses them.`);
  if (context.globals.yes || !context.interactive) return;
  if (!(await context.prompts.confirm('Write it all the same?', context.signal)))
    throw new DeclinedError('Nothing was changed.', { hint: 'You said no.' });
}

/** How a field on demand is asked for is not documented; where it does not come, nothing is known to be lost. */
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

/** What sanitised HTML shows that Markdown has no way to write. */
export function markdownLoses(html: string): string[] {
  return LOSSES.filter(([, pattern]) => pattern.test(html)).map(([what]) => what);
}
