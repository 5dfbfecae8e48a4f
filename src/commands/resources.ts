import type { Resource } from '../catalog/define.ts';
import { namedResource } from '../cli/named-resource.ts';
import { defineCommand } from '../cli/spec.ts';
import { NotFoundError } from '../errors.ts';
import { discover } from '../records/discovery.ts';
import { entryOf, operationsOf, pathOf } from '../records/discovery-entry.ts';
import type { Needs } from '../session/context.ts';
import type { Printing } from '../session/print.ts';
import { printRecord, printRecords, printText } from '../session/print.ts';
import { describeResource, resourceText } from './resource-description.ts';

/** `svc resources [noun]`: what this organisation has, from discovery (rules 9.4 to 9.9). */
export const resources = defineCommand({
  name: 'resources',
  summary: 'List the resources of your organisation',
  description:
    'svc asks the service for the resources of your organisation: paths, operations, permissions, and which are switched off. With a resource, svc explains that one: its operations, filters and fields. It marks each fact that it assumes because the service does not document the fact.',
  args: [{ name: 'noun', summary: 'A resource, such as worklogs', optional: true }],
  examples: [
    { args: 'resources', does: 'List every resource' },
    { args: 'resources absences', does: 'Explain one resource' },
  ],
  async run(context: Needs<Printing | 'catalog' | 'client' | 'files' | 'host' | 'paths'>, { args: [noun] }) {
    // A word that is no noun is refused before anything is asked.
    const resource = noun === undefined ? undefined : await namedResource(context.catalog, noun, 'resources');
    if (resource === undefined) await listAll(context);
    else await explain(context, resource);
  },
});

async function listAll(context: Needs<Printing | 'catalog' | 'client' | 'files' | 'host' | 'paths'>): Promise<void> {
  const entries = await discover(context);
  const nouns = context.catalog.nouns.filter(({ isDiscovered }) => isDiscovered !== true);
  const nounOf = new Map(nouns.map(({ noun }) => [entryOf(entries, noun), noun] as const));
  const found = entries.map((entry) => {
    const methods = [...new Set(operationsOf(entry).map((operation) => operation.split(' ')[0] ?? ''))];
    return { ...entry, noun: nounOf.get(entry) ?? null, methods: methods.join(' ') };
  });
  await printRecords(context, found, ['noun', 'path', 'item_path', 'permission_prefix', 'methods']);
  const known = found.filter(({ noun }) => noun !== null).length;
  const off = nouns.filter(({ noun }) => entryOf(entries, noun) === undefined).map(({ noun }) => noun);
  await context.notice(`${known} of svc’s ${nouns.length} resources are here.`);
  const { lookForNouns } = await import('../records/look-for-nouns.ts');
  const also = await lookForNouns(context, entries);
  if (also.length > 0) await context.notice(`Also here, and from now on commands of svc: ${also.join(', ')}.`);
  if (off.length > 0) await context.notice(`Not enabled for this organisation: ${off.join(', ')}.`);
}

async function explain(context: Needs<Printing | 'catalog' | 'client'>, resource: Resource): Promise<void> {
  const entries = await discover(context);
  const entry = entryOf(entries, resource);
  if (entry === undefined) {
    throw new NotFoundError(`${resource.noun} is not enabled for this organisation.`, {
      hint: 'An administrator can enable the feature. What there is: svc resources',
    });
  }
  const nested = (resource.nested ?? []).map((child) => ({ resource: child, entry: entryOf(entries, child) }));
  const description = describeResource(resource, entry, nested);
  // A person gets a page to read; a program gets the same as data.
  if ((await context.presentation()).reader === 'person') return printText(context, resourceText(description, pathOf(entry['path'])));
  await printRecord(context, description);
}
