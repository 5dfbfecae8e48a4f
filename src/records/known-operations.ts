import { NotFoundError } from '../errors.ts';
import type { DescribedNoun } from '../schema/described.ts';
import { keptIndex, keptNoun } from '../schema/kept-schema.ts';
import type { Needs } from '../session/context.ts';
import type { KnownOperation } from '../transfer/known-operation.ts';

/** The parts of a context that knowing an organisation's operations needs. */
export type KnowingOperations = 'files' | 'host' | 'notice' | 'paths';

/** Resources that files may be sent to or read from, other than that of the records that they belong to. */
const FILE_NOUNS = ['upload-tickets', 'uploads', 'upload-urls', 'files', 'attachments'];

/** The operations of a resource, and those for files, of the imported API spec; undefined where none was imported. Sends nothing. */
export async function describedOperations(context: Needs<KnowingOperations>, noun: string): Promise<KnownOperation[] | undefined> {
  const host = await context.host();
  const index = await keptIndex(context, host);
  if (index === undefined) return undefined;
  const nouns = await Promise.all([noun, ...FILE_NOUNS].map((name) => keptNoun(context, host, index, name)));
  return nouns.flatMap((found) => (found === undefined ? [] : operationsIn(found)));
}

function operationsIn({ operations, nested = [] }: DescribedNoun): KnownOperation[] {
  const own = operations
    .filter(({ deprecated }) => deprecated !== true)
    .map(({ method, path, body, query, contentType }): KnownOperation => {
      const known = {
        ...(body !== undefined && { body }),
        ...(query !== undefined && { query }),
        ...(contentType !== undefined && { contentType }),
      };
      return { method: method.toUpperCase(), path, ...known };
    });
  return [...own, ...nested.flatMap(operationsIn)];
}

/** The error of a command for files when no operation describes how: svc guesses no address, method or form. */
export async function unknownWay(
  context: Needs<'host'>,
  { what, byHand, isImported }: { readonly what: string; readonly byHand: string; readonly isImported: boolean },
): Promise<NotFoundError> {
  const { name } = await context.host();
  const why = isImported ? 'its imported API spec does not say' : 'no API spec of it was imported';
  return new NotFoundError(`How ${name} ${what} is not known: ${why}.`, {
    hint: `Import its API spec: svc schema import <file>; or do it by hand: ${byHand}`,
  });
}
