import type { Files } from '../deps.ts';
import { pathIn } from '../values/paths.ts';
import { readTexts, type Texts, writeTexts } from './texts-in.ts';

/** `aliases.json`: an object with the user’s alias names and their texts. */
export interface AliasFile {
  readonly path: string;
  /** @throws SvcError if the file is no JSON object of strings. */
  read(): Promise<Texts>;
  set(name: string, text: string): Promise<void>;
  delete(name: string): Promise<boolean>;
}

export function openAliasFile(files: Pick<Files, 'readText' | 'weakness' | 'writeThroughLink'>, directory: string): AliasFile {
  const path = pathIn(directory, 'aliases.json');

  const read = () => readTexts(files, path, { what: 'the aliases', hint: 'Fix the file in an editor, or delete the file.' });

  return {
    path,
    read,
    set: async (name, text) => writeTexts(files, path, { ...(await read()), [name]: text }),
    async delete(name) {
      const content = await read();
      if (!Object.hasOwn(content, name)) return false;
      const { [name]: _, ...rest } = content;
      await writeTexts(files, path, rest);
      return true;
    },
  };
}
