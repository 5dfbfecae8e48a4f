import type { Files } from '../deps.ts';
import { pathIn } from '../values/paths.ts';
import { readTexts, writeTexts } from './texts-in.ts';

/** Opens `aliases.json`, an object that maps alias names to command lines. */
export function openAliasFile(files: Pick<Files, 'readText' | 'weakness' | 'writeThroughLink'>, directory: string) {
  const path = pathIn(directory, 'aliases.json');

  const read = () => readTexts(files, path, { what: 'the aliases', hint: 'Fix the file in an editor, or delete the file.' });

  return {
    path,
    /**
     * Returns the command line of each alias, by name.
     *
     * @throws SvcError for a file that is not a JSON object of strings, or that other users could have changed.
     */
    read,
    set: async (name: string, text: string) => writeTexts(files, path, { ...(await read()), [name]: text }),
    async delete(name: string) {
      const content = await read();
      if (!Object.hasOwn(content, name)) return false;
      const { [name]: _, ...rest } = content;
      await writeTexts(files, path, rest);
      return true;
    },
  };
}
