import { builtInCatalog } from '../../catalog/index.ts';
import { defineCommand } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { documentAt, isAddress } from '../../records/document-at.ts';
import { compareImports } from '../../schema/compare.ts';
import { compileDocument } from '../../schema/compile.ts';
import { forgetSchema, keepSchema } from '../../schema/keep-schema.ts';
import { keptIndex, keptNouns } from '../../schema/kept-schema.ts';
import { MOST_BYTES, readDocument, tooLarge } from '../../schema/read-document.ts';
import type { Needs } from '../../session/context.ts';
import { type Printing, printLine, printRecord } from '../../session/print.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { counted } from '../../values/text.ts';
import { nothingImported } from './show.ts';

type Importing =
  | Printing
  | 'client'
  | 'clock'
  | 'credentials'
  | 'files'
  | 'host'
  | 'network'
  | 'paths'
  | 'requestTimeoutMs'
  | 'signal'
  | 'stdio'
  | 'system';

/** `svc schema import <file|-|address>`: stores an API spec for this organisation. */
export const importSchema = defineCommand({
  name: 'import',
  summary: 'Import an API spec of your organisation (OpenAPI)',
  description: `svc reads an API spec in OpenAPI 3.0 or 3.1, as JSON or YAML. svc reads a file, standard input, or an address on the host of your organisation, where you are signed in. Download an API spec from any other host yourself. svc stores the spec on this machine, for this organisation. svc keeps the import before it, for svc schema diff. svc refuses a spec that refers to other documents, or is larger than ${MOST_BYTES / 1024 / 1024} MB. With --dry-run svc stores nothing.`,
  args: [{ name: 'file', summary: 'A file, - for standard input, or an address on the host of your organisation', completes: 'file' }],
  examples: [
    { args: 'schema import openapi.json', does: 'Import a file' },
    { args: 'schema import openapi.yaml --dry-run', does: 'Show what the API spec would change, and store nothing' },
  ],
  async run(context: Needs<Importing>, { args: [typed = ''] }) {
    const host = await context.host();
    const bytes = isAddress(typed) ? await documentAt(context, typed, MOST_BYTES) : await readBounded(context, typed);
    const document = await readDocument(bytes);
    const compiled = await compileDocument(document, isAddress(typed) ? withoutQuery(typed) : typed, utcSeconds(context.clock.now()));
    const before = await keptIndex(context, host);
    const dryRun = context.globals.dryRun === true;
    const old = before === undefined ? undefined : await keptNouns(context, host, before);
    if (!dryRun) await keepSchema(context, host, compiled, before);
    const changes = old === undefined ? [] : compareImports(old, compiled.nouns);
    const breaking = changes.filter((change) => change.breaking).length;
    const described = new Set(compiled.nouns.map(({ noun }) => noun));
    const known = new Set(builtInCatalog().nouns.map(({ noun }) => noun));
    const added = [...described.difference(known)];
    const hidden = [...known.difference(described)];
    const { title, version, openapi } = compiled.index;
    if (!(await context.presentation()).isUnasked) {
      return printRecord(context, {
        host: host.name,
        title,
        version,
        openapi,
        nouns: compiled.nouns.length,
        new: added,
        hidden,
        left_out: compiled.leftOut.map(({ path, reason }) => ({ path, reason })),
        changes: old === undefined ? null : changes.length,
        breaking: old === undefined ? null : breaking,
        kept: !dryRun,
      });
    }
    const what = `${[title, version].filter(Boolean).join(' ') || 'The API spec'}, OpenAPI ${openapi}: ${counted(compiled.nouns.length, 'resource')}.`;
    await printLine(context, dryRun ? `${what} Nothing was stored.` : `${what} svc now uses this API spec for ${host.name}.`);
    if (compiled.leftOut.length > 0) {
      const some = compiled.leftOut.map(({ path, reason }) => `${path} (${reason})`);
      await context.notice(`svc cannot use ${counted(some.length, 'path')}: ${listed(some)}.`);
    }
    if (added.length > 0) await context.notice(`New resources: ${listed(added)}.`);
    if (hidden.length > 0)
      await context.notice(
        `The API spec does not have ${counted(hidden.length, 'resource')} that svc knows, so svc hides ${hidden.length === 1 ? 'it' : 'them'}: ${listed(hidden)}.${dryRun ? '' : ' To show them again: svc schema forget'}`,
      );
    if (changes.length > 0 && !dryRun)
      await context.notice(
        `Since the last import: ${counted(changes.length, 'change')}, ${breaking} of them breaking. To see them: svc schema diff`,
      );
    if (before === undefined && !dryRun) await context.notice('To compare with svc’s own knowledge: svc schema diff');
  },
});

/** Lists names in a sentence: the first eight, and the number of the others. */
function listed(names: readonly string[]): string {
  const more = names.length - 8;
  return more > 0 ? `${names.slice(0, 8).join(', ')} and ${more} more` : names.join(', ');
}

/** Removes the query of an address, because it can contain a secret. */
function withoutQuery(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? address;
}

/** Reads a file or standard input. @throws UsageError for more than {@link MOST_BYTES} bytes, without reading the rest. */
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

/** `svc schema forget`: removes the imported API spec. */
export const forgetCommand = defineCommand({
  name: 'forget',
  summary: 'Remove the imported API spec, and the one before it',
  description: 'svc removes the API spec, and follows its own knowledge from then on. With --dry-run svc removes nothing.',
  examples: [{ args: 'schema forget', does: 'Follow svc’s own knowledge again' }],
  async run(context: Needs<'files' | 'globals' | 'host' | 'notice' | 'paths'>) {
    const host = await context.host();
    if (context.globals.dryRun === true) {
      const { keptIndex } = await import('../../schema/kept-schema.ts');
      if ((await keptIndex(context, host)) === undefined) throw nothingImported(host.name);
      return context.notice(`svc would remove the API spec of ${host.name}.`);
    }
    if (!(await forgetSchema(context, host))) throw nothingImported(host.name);
    await context.notice(`svc removed the API spec of ${host.name} from this machine.`);
  },
});
