import { defineCommand, text } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { storedIndex, storedResources } from '../../schema/stored-schema.ts';
import { type ExportedResource, toOpenApi } from '../../schema/to-openapi.ts';
import type { Needs } from '../../session/context.ts';
import { presentingAs } from '../../session/presentation.ts';
import { type Printing, printRecord } from '../../session/print.ts';
import { API_PATH } from '../../values/addresses.ts';
import { catalogResources } from './show.ts';

export const exportSchema = defineCommand({
  description:
    'svc prints an API spec in OpenAPI 3.1 of every resource that it knows. The facts come from the imported API spec, or from the built-in knowledge of svc. svc marks its assumptions with x-assumed. The format is JSON, or YAML with -o yaml. An import of this spec changes nothing.',
  options: {
    version: text('--as-version <string>', 'Set the version of the API spec (default: the version of the imported API spec, otherwise 2)'),
  },
  examples: [
    { args: 'schema export > openapi.json', does: 'Write an API spec for other tools' },
    { args: 'schema export -o yaml', does: 'Print the API spec as YAML' },
  ],
  async run(context: Needs<Printing | 'files' | 'host' | 'notice' | 'paths'>, { options }) {
    const { format } = await context.presentation();
    if (context.globals.output !== undefined && format !== 'json' && format !== 'yaml')
      throw new UsageError(`svc does not write an API spec as ${format}.`, { hint: 'Use -o json or -o yaml.' });
    const host = await context.host();
    const index = await storedIndex(context, host);
    const nouns: readonly ExportedResource[] =
      index === undefined
        ? [...(await catalogResources())].flatMap(([name, entry]) => (name.includes(' ') ? [] : [entry]))
        : (await storedResources(context, host, index)).map((noun) => ({ noun }));
    const document = toOpenApi(nouns, {
      title: index?.title || `The API of ${host.name}, as svc knows it`,
      version: options.version ?? (index?.version || '2'),
      server: `${host.origin}${API_PATH}`,
    });
    // An API spec is one document, so svc prints no table.
    await printRecord(presentingAs(context, format === 'yaml' ? 'yaml' : 'json'), document);
  },
});
