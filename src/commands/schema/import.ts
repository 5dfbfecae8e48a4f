import { defineCommand } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { documentAt, isAddress } from '../../records/document-at.ts';
import { compareImports, flatResources } from '../../schema/compare.ts';
import { compileDocument } from '../../schema/compile.ts';
import type { DescribedResource } from '../../schema/described.ts';
import { MOST_BYTES, readDocument, tooLarge } from '../../schema/read-document.ts';
import { forgetSchema, storeSchema } from '../../schema/store-schema.ts';
import { storedIndex, storedResources } from '../../schema/stored-schema.ts';
import { confirm } from '../../session/confirm.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { type Printing, printLine, printRecord } from '../../session/print.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { counted } from '../../values/text.ts';
import { catalogResources, nothingImported } from './show.ts';

type Importing =
  | Printing
  | 'client'
  | 'clock'
  | 'credentials'
  | Asking
  | 'files'
  | 'host'
  | 'network'
  | 'paths'
  | 'requestTimeoutMs'
  | 'stdio'
  | 'system';

export const importSchema = defineCommand({
  description: `svc reads an API spec in OpenAPI 3.0, 3.1 or 3.2, as JSON or YAML. svc reads a file, standard input, or an address on the host of your organisation, where you are signed in. The people who run the service have the API spec; the sandbox has one at /api/v2/openapi.json. Download an API spec from any other host yourself. svc stores the spec on this machine, for this organisation. svc keeps the previous import for svc schema diff. svc asks before it stores a spec without most known resources or fields; --yes answers this question. svc refuses a spec that refers to other documents, or is larger than ${MOST_BYTES / 1024 / 1024} MB. With --dry-run svc stores nothing.`,
  args: [{ name: 'file', summary: 'A file, - for standard input, or an address on the host of your organisation', completes: 'file' }],
  examples: [
    { args: 'schema import openapi.json', does: 'Import a file' },
    { args: 'schema import https://acme.example.com/api/v2/openapi.json', does: 'Import an API spec of the host where you are signed in' },
    { args: 'schema import openapi.yaml --dry-run', does: 'Show what the API spec would change, and store nothing' },
  ],
  async run(context: Needs<Importing>, { args: [typed = ''] }) {
    const host = await context.host();
    const bytes = isAddress(typed) ? await documentAt(context, typed, MOST_BYTES) : await readBounded(context, typed);
    const document = await readDocument(bytes);
    const compiled = await compileDocument(document, isAddress(typed) ? withoutQuery(typed) : typed, utcSeconds(context.clock.now()));
    const before = await storedIndex(context, host);
    const dryRun = context.globals.dryRun === true;
    const old = before === undefined ? undefined : await storedResources(context, host, before);
    const { kept, added, gone, fieldsGone, loss } = compareKnown(
      old === undefined ? await documentedNouns() : flatResources(old),
      old !== undefined,
      compiled.nouns,
    );
    if (!dryRun && loss !== undefined)
      await confirm(context, {
        question: `${loss} Store the API spec for ${host.name}?`,
        unasked: `${loss} So svc stored nothing: this may be the API spec of another service.`,
        declined: 'svc stored nothing.',
      });
    if (!dryRun) await storeSchema(context, host, compiled, before);
    const changes = old === undefined ? [] : compareImports(old, compiled.nouns);
    const breaking = changes.filter((change) => change.breaking).length;
    const { title, version, openapi } = compiled.index;
    if (!(await context.presentation()).isDefaultFormat) {
      return printRecord(context, {
        host: host.name,
        title,
        version,
        openapi,
        nouns: compiled.nouns.length,
        kept,
        new: added,
        gone,
        fields_gone: fieldsGone,
        left_out: compiled.leftOut.map(({ path, reason }) => ({ path, reason })),
        ignored: compiled.ignored.map(({ at, reason }) => ({ at, reason })),
        changes: old === undefined ? null : changes.length,
        breaking: old === undefined ? null : breaking,
        stored: !dryRun,
      });
    }
    const report = async (what: string, names: readonly string[]) => {
      if (names.length > 0) await context.notice(`${what} (${names.length}): ${listed(names)}.`);
    };
    const what = `${[title, version].filter(Boolean).join(' ') || 'The API spec'}, OpenAPI ${openapi}: ${counted(compiled.nouns.length, 'resource')}.`;
    await printLine(context, dryRun ? `${what} svc stored nothing.` : `${what} svc now uses this API spec for ${host.name}.`);
    if (dryRun && loss !== undefined) await context.notice(`${loss} svc would ask before it stores the API spec.`);
    await report('svc knew these resources, and the API spec describes them', kept);
    await report('New resources', added);
    await report(`The API spec does not have these resources. svc hides them, and svc schema forget shows them again`, gone);
    await report('The API spec does not have these fields', fieldsGone);
    await report(
      'svc cannot use these paths',
      compiled.leftOut.map(({ path, reason }) => `${path} (${reason})`),
    );
    await report(
      'svc ignored these parts',
      compiled.ignored.map(({ at, reason }) => `${at} (${reason})`),
    );
    if (changes.length > 0 && !dryRun)
      await context.notice(
        `Since the last import: ${counted(changes.length, 'change')}, ${breaking} breaking. To see the changes: svc schema diff`,
      );
    if (before === undefined && !dryRun) await context.notice('To compare with svc’s built-in knowledge: svc schema diff');
  },
});

/** The comparison of an API spec with the resources that svc knew before. */
interface Comparison {
  readonly kept: readonly string[];
  readonly added: readonly string[];
  readonly gone: readonly string[];
  /** The fields that the API spec lacks, such as `worklogs.minutes`. */
  readonly fieldsGone: readonly string[];
  /** The reason, as a sentence, why the API spec can belong to another service. Undefined if svc found no such reason. */
  readonly loss: string | undefined;
}

/**
 * Compares an API spec with the previous resources.
 *
 * @param wasImported True if the previous resources came from an import. Only then does each missing field count as a loss, because most
 * organisations lack a few documented fields.
 */
function compareKnown(known: ReadonlyMap<string, DescribedResource>, wasImported: boolean, now: readonly DescribedResource[]): Comparison {
  const described = flatResources(now);
  const before = [...known.keys()].filter((noun) => !noun.includes(' '));
  const kept = before.filter((noun) => described.has(noun));
  const gone = [...known.keys()].filter((noun) => !described.has(noun) && (!noun.includes(' ') || described.has(noun.split(' ')[0] ?? '')));
  const fields = [...known].flatMap(([noun, { fields }]) =>
    described.has(noun) ? Object.keys(fields).map((field) => ({ noun, field })) : [],
  );
  const fieldsGone = fields
    .filter(({ noun, field }) => !Object.hasOwn(described.get(noun)?.fields ?? {}, field))
    .map(({ noun, field }) => `${noun}.${field}`);
  const isFew = kept.length * 2 < before.length;
  const isLossy = fieldsGone.length > (wasImported ? 0 : fields.length / 10) || fieldsGone.some((field) => ALWAYS.has(field));
  const share = `The API spec describes ${kept.length} of the ${before.length} resources that svc knows`;
  return {
    kept,
    added: now.map(({ noun }) => noun).filter((noun) => !before.includes(noun)),
    gone,
    fieldsGone,
    loss: isFew ? `${share}.` : isLossy ? `${share}, without ${listed(fieldsGone)}.` : undefined,
  };
}

/** The fields without which svc cannot log hours. */
const ALWAYS: ReadonlySet<string> = new Set(['worklogs.date', 'worklogs.minutes']);

/** Returns svc’s own resources, with the fields that the service documents. */
async function documentedNouns(): Promise<Map<string, DescribedResource>> {
  const nouns = [...(await catalogResources())].map(([name, { noun, isAssumed }]): [string, DescribedResource] => [
    name,
    { ...noun, fields: Object.fromEntries(Object.entries(noun.fields).filter(([field]) => !isAssumed('field', field))) },
  ]);
  return new Map(nouns);
}

/** Lists names in a sentence: the first eight, and the number of the others. */
function listed(names: readonly string[]): string {
  const more = names.length - 8;
  return more > 0 ? `${names.slice(0, 8).join(', ')} and ${more} more` : names.join(', ');
}

/** Removes the query and the fragment of an address, because the query can contain a secret. */
function withoutQuery(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? address;
}

/**
 * Reads a file or standard input.
 *
 * @throws UsageError for a file that svc cannot read, and for more than {@link MOST_BYTES} bytes. svc then stops reading.
 */
async function readBounded({ files, stdio }: Needs<'files' | 'stdio'>, path: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of path === '-' ? (stdio.stdin as AsyncIterable<Uint8Array>) : files.read(path)) {
      pieces.push(Buffer.from(piece));
      size += piece.length;
      if (size > MOST_BYTES) throw tooLarge();
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new UsageError(`There is no file ${path}.`, { hint: 'Check the path; - reads standard input.' });
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`, { hint: 'Check the path.' });
  }
  return Buffer.concat(pieces);
}

export const forgetCommand = defineCommand({
  description: 'svc removes the API spec, and uses its built-in knowledge from then on. With --dry-run svc removes nothing.',
  examples: [{ args: 'schema forget', does: 'Use svc’s built-in knowledge of the API again' }],
  async run(context: Needs<'files' | 'globals' | 'host' | 'notice' | 'paths'>) {
    const host = await context.host();
    if (context.globals.dryRun === true) {
      const { storedIndex } = await import('../../schema/stored-schema.ts');
      if ((await storedIndex(context, host)) === undefined) throw nothingImported(host.name);
      return context.notice(`svc would remove the API spec of ${host.name}.`);
    }
    if (!(await forgetSchema(context, host))) throw nothingImported(host.name);
    await context.notice(`svc removed the API spec of ${host.name} from this machine.`);
  },
});
