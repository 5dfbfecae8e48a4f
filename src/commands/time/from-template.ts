import { findTemplate } from '../../config/template.ts';
import { UsageError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { understandWords } from '../../time/words.ts';
import { quote } from '../../values/quote.ts';
import type { AddOptions } from './add-options.ts';
import { nameOf } from './target.ts';

/**
 * The flags of an entry with what a template adds: only what neither the words nor the flags say. A line tells what was taken.
 *
 * @throws UsageError where something else would fill the same fields, or the file is for another organisation.
 */
export async function fromTemplate(
  context: Needs<'files' | 'host' | 'notice' | 'system' | 'tellOnce'>,
  name: string,
  {
    words,
    given,
    options,
  }: { readonly words: readonly string[]; readonly given: Readonly<Record<string, unknown>>; readonly options: AddOptions },
): Promise<Readonly<Record<string, unknown>>> {
  const rival = options.like !== undefined ? '--like' : options.data !== undefined ? '--data' : undefined;
  if (rival !== undefined) throw new UsageError(`--template and ${rival} cannot be used together.`, { hint: 'Use one of them.' });
  const { template, file } = await findTemplate(context, name);
  const { name: host } = await context.host();
  if (file.host !== undefined && nameOf(file.host) !== host)
    throw new UsageError(`${file.path} is for ${file.host}, and this goes to ${host}.`, {
      hint: 'Type the entry in full, or name the host: --host.',
    });
  const said = understandWords(words);
  const typed = new Set([...(options.field ?? []), ...(options.rawField ?? [])].map((text) => text.split('=', 1)[0]));
  const isOpen = (...fields: readonly string[]) => fields.every((field) => given[field] === undefined && !typed.has(field));
  const isPlaced = said.workItem !== undefined || said.project !== undefined;
  const place = template.workItem === undefined ? { project_id: template.project } : { work_item_id: template.workItem };
  const isSpan = options.from !== undefined || options.to !== undefined;
  const taken = {
    ...(said.minutes === undefined && !isSpan && isOpen('minutes') && { minutes: template.minutes }),
    ...(!isPlaced && isOpen('project_id', 'work_item_id', 'budget_id', 'task_id') && place),
    ...(said.description === undefined && isOpen('description') && { description: template.description }),
  };
  const fields = Object.entries(taken).filter((field): field is [string, string] => field[1] !== undefined);
  const shown = fields.map(([field, text]) => `${field.replace(/_id$/, '').replace('_', ' ')} ${quote(text)}`).join(', ');
  await context.notice(`Template ${name} of ${file.path}: ${shown || 'nothing that is not typed'}.`);
  return { ...given, ...Object.fromEntries(fields) };
}
