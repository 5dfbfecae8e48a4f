import { API_PATH } from '../values/host.ts';
import type { DescribedIndex, DescribedNoun } from './described.ts';
import { createSchemas } from './flatten.ts';
import { linkNouns } from './link.ts';
import { plainText } from './names.ts';
import { createNouns } from './nouns.ts';
import { pathsOf } from './paths.ts';
import type { OpenApiDocument } from './read-document.ts';
import { createReferences, isTable } from './references.ts';
import { refusedDocument } from './refused-document.ts';

/** A document in the form that svc keeps. */
export interface Compiled {
  readonly index: DescribedIndex;
  readonly nouns: readonly DescribedNoun[];
  /** Paths that svc has no use for: of another API, or with characters that none of its own has. */
  readonly leftOut: number;
}

/**
 * Compiles a document into nouns: what can be listed, read, written and done, with every field, filter and relation that it describes.
 *
 * @param source What was typed: a file's name, `-`, or an address.
 * @param importedAt `YYYY-MM-DDTHH:MM:SSZ`.
 * @throws UsageError for a document that svc does not take, with the reason in words.
 */
export async function compileDocument(document: OpenApiDocument, source: string, importedAt: string): Promise<Compiled> {
  const { root, digest, openapi } = document;
  const references = await createReferences(root);
  const tree = pathsOf(root, API_PATH);
  const nouns = linkNouns(createNouns({ references, schemas: createSchemas(references) }, root).all(tree.root));
  if (nouns.length === 0)
    throw refusedDocument('The document describes no path that svc can use.', `Nothing was changed. svc takes paths below ${API_PATH}.`);
  const info = isTable(root['info']) ? root['info'] : {};
  return {
    index: {
      form: 1,
      title: plainText(info['title'], 200) ?? '',
      version: plainText(info['version'], 100) ?? '',
      openapi,
      digest,
      importedAt,
      source: plainText(source, 1_000) ?? '',
      nouns: nouns.map(({ noun, singular, summary }) => ({ noun, singular, summary })),
    },
    nouns,
    leftOut: tree.leftOut,
  };
}
