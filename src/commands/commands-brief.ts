import { briefOf } from '../cli/brief.ts';
import { searchCommands } from '../cli/search.ts';
import type { PlacedCommand } from '../cli/tree.ts';
import { NotFoundError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type Printing, printRecords, printText } from '../session/print.ts';

/** So many answers to a search; what is wanted is among them, or the words were the wrong ones. */
const MOST = 10;

/**
 * Prints a line for each command: those that `search` fits, the best first, or all of them. Lines, also away from a terminal, since they
 * are read and not processed; as records where somebody says how to print them.
 *
 * @throws NotFoundError when no command has to do with what was searched for.
 */
export async function printBrief(context: Needs<Printing>, tree: AsyncIterable<PlacedCommand>, search: string | undefined): Promise<void> {
  const places: PlacedCommand[] = [];
  for await (const place of tree) places.push(place);
  const found = search === undefined ? places.filter(({ spec }) => spec.run !== undefined) : searchCommands(places, search);
  if (search !== undefined && found.length === 0)
    throw new NotFoundError(`No command has to do with "${search}".`, {
      hint: 'Try other words, of what you want to do and with what: svc commands --search "log hours". All there is: svc commands --brief',
    });
  const shown = (search === undefined ? found : found.slice(0, MOST)).map(briefOf);
  const { output, fields, jq } = context.globals;
  if (output !== undefined || fields !== undefined || jq !== undefined)
    await printRecords(
      context,
      shown.map(({ usage, summary }) => ({ usage, summary })),
      ['usage', 'summary'],
    );
  else await printText(context, shown.map(({ usage, summary }) => `${usage}  ${summary}\n`).join(''));
  if (found.length > shown.length) await context.notice(`${found.length - shown.length} more fit less. More words find better.`);
}
