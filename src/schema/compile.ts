import { API_PATH } from '../values/addresses.ts';
import { createResources } from './create-resources.ts';
import type { DescribedIndex, DescribedResource } from './described.ts';
import { createSchemas } from './flatten.ts';
import { linkResources } from './link.ts';
import { plainText, refusedDocument } from './names.ts';
import { pathsOf, type UnusedPath } from './paths.ts';
import { type IgnoredPart, MOST_IGNORED, type OpenApiDocument } from './read-document.ts';
import { isTable, openReferences } from './references.ts';

/** An API spec in the form that svc stores. */
export interface Compiled {
  readonly index: DescribedIndex;
  readonly nouns: readonly DescribedResource[];
  /** The paths of the document that svc can’t use, with the reasons. */
  readonly leftOut: readonly UnusedPath[];
  /** The parts of the document that svc does not use, inside objects that svc uses. */
  readonly ignored: readonly IgnoredPart[];
}

/**
 * Compiles an API spec into resources with their operations, fields, filters and relations.
 *
 * @param source origin as the user typed it: a file name, `-`, or a URL.
 * @param importedAt time of the import, `YYYY-MM-DDTHH:MM:SSZ`.
 * @throws UsageError with the reason, if svc can’t use the document.
 */
export async function compileDocument(document: OpenApiDocument, source: string, importedAt: string): Promise<Compiled> {
  const { root, digest, openapi } = document;
  const follow = await openReferences(root);
  const tree = pathsOf(root, API_PATH, follow);
  const ignored = [...document.ignored];
  const ignore = (at: string, reason: string) => {
    if (ignored.length < MOST_IGNORED) ignored.push({ at, reason });
  };
  const nouns = linkResources(createResources({ follow, schemas: createSchemas(follow), ignore }, root, tree.root));
  if (nouns.length === 0)
    throw refusedDocument('The document describes no path that svc can use.', `svc changed nothing. svc uses the paths under ${API_PATH}.`);
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
    ignored,
  };
}
