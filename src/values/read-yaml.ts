/** The error for a text that is no YAML document. Its message is one line. */
export class YamlError extends Error {}

/**
 * Reads one document of YAML 1.2 (core schema). Undefined: the text has no document, for example only comments.
 *
 * @param bounds the most levels of lists and maps, default 100, and the most aliases, default none.
 * @throws YamlError for anything other than one document within the bounds.
 */
export async function readYaml(text: string, { maxDepth = 100, maxAliases = 0 } = {}): Promise<unknown> {
  const { loadAll } = await import('js-yaml');
  let documents: readonly unknown[];
  try {
    documents = loadAll(text, { maxDepth, maxAliases });
  } catch (error) {
    throw new YamlError((error instanceof Error ? error.message : String(error)).split('\n', 1)[0]);
  }
  if (documents.length > 1) throw new YamlError('There is more than one document in it.');
  return documents[0];
}
