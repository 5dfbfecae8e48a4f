import { defineCommand, text } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { keptIndex, keptNouns } from '../../schema/kept-schema.ts';
import { type ExportedNoun, toOpenApi } from '../../schema/to-openapi.ts';
import type { Needs } from '../../session/context.ts';
import { presentingAs } from '../../session/presentation.ts';
import { type Printing, printRecord } from '../../session/print.ts';
import { API_PATH } from '../../values/host.ts';
import { catalogNouns } from './show.ts';

/** `svc schema export`. */
export const exportSchema = defineCommand({
  name: 'export',
  summary: 'What svc knows of the API now, as an OpenAPI description',
  description:
    'Prints an OpenAPI 3.1 description of every resource that svc knows: as your organisation’s own description has it, where you imported one, else as svc knows it itself. What svc assumes is marked x-assumed. JSON; -o yaml for YAML. Imported again, it is the same.',
  options: { version: text('--as-version <text>', 'The version that the description has; that of the import if not given') },
  examples: [
    { args: 'schema export > openapi.json', does: 'For code generators and other tools' },
    { args: 'schema export -o yaml', does: 'To read it' },
  ],
  async run(context: Needs<Printing | 'files' | 'host' | 'notice' | 'paths'>, { options }) {
    const { format } = await context.presentation();
    if (context.globals.output !== undefined && format !== 'json' && format !== 'yaml')
      throw new UsageError(`A description is not written as ${format}.`, { hint: 'Use -o json or -o yaml.' });
    const host = await context.host();
    const index = await keptIndex(context, host);
    const nouns: readonly ExportedNoun[] =
      index === undefined
        ? [...(await catalogNouns())].flatMap(([name, entry]) => (name.includes(' ') ? [] : [entry]))
        : (await keptNouns(context, host, index)).map((noun) => ({ noun }));
    const document = toOpenApi(nouns, {
      title: index?.title || `The API of ${host.name}, as svc knows it`,
      version: options.version ?? (index?.version || '2'),
      server: `${host.origin}${API_PATH}`,
    });
    // A table of it would be no description.
    await printRecord(presentingAs(context, format === 'yaml' ? 'yaml' : 'json'), document);
  },
});
