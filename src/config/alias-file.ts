import type { Files } from '../deps.ts';
import { SvcError } from '../errors.ts';
import { pathIn } from '../values/paths.ts';
import { assertGuarded } from './guarded.ts';
import { textsIn } from './texts-in.ts';

/** `aliases.json`: an object with the user’s alias names and their texts. */
export interface AliasFile {
  readonly path: string;
  /** @throws SvcError if the file is no JSON object of strings. */
  read(): Promise<Readonly<Record<string, string>>>;
  set(name: string, text: string): Promise<void>;
  /** False: no such alias. */
  delete(name: string): Promise<boolean>;
}

/** Opens the file of aliases in `directory`, beside the settings. */
export function openAliasFile(files: Pick<Files, 'readText' | 'weakness' | 'writeThroughLink'>, directory: string): AliasFile {
  const path = pathIn(directory, 'aliases.json');

  async function read(): Promise<Record<string, string>> {
    const text = await files.readText(path);
    if (text === undefined) return {};
    await assertGuarded(files, path, 'the aliases');
    const content = textsIn(text);
    if (content !== undefined) return content;
    throw new SvcError(`${path} is not a JSON object of strings.`, { hint: 'Fix the file in an editor, or delete the file.' });
  }

  const write = (content: Readonly<Record<string, string>>) => files.writeThroughLink(path, `${JSON.stringify(content, undefined, 2)}\n`);

  return {
    path,
    read,
    set: async (name, text) => write({ ...(await read()), [name]: text }),
    async delete(name) {
      const content = await read();
      if (!Object.hasOwn(content, name)) return false;
      const { [name]: _, ...rest } = content;
      await write(rest);
      return true;
    },
  };
}
