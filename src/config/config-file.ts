import type { Files } from '../deps.ts';
import { UsageError } from '../errors.ts';
import { pathIn } from '../values/paths.ts';
import type { Setting, SettingName, Settings } from './settings.ts';
import { readTexts, type Texts, textsIn, writeTexts } from './texts-in.ts';

export type ConfigFile = ReturnType<typeof openConfigFile>;

/**
 * Opens `config.json`, an object of setting names and strings. svc keeps unknown names, because a newer svc can have written the names.
 *
 * @param table The known settings. `read` and `replace` check each value with `check`; `set` stores the value unchecked.
 */
export function openConfigFile(files: Files, directory: string, table: readonly Setting[]) {
  const path = pathIn(directory, 'config.json');

  const readAll = () => readTexts(files, path, { what: 'the settings', hint: 'Fix the file: svc config edit. Or delete the file.' });

  function checkedAll(content: Texts): Settings {
    const settings: Partial<Record<SettingName, string>> = {};
    for (const { name, check } of table) {
      const text = content[name];
      if (text !== undefined) settings[name] = checked(name, text, check, path);
    }
    return settings;
  }

  return {
    path,
    /**
     * Reads and checks the settings in `config.json`.
     *
     * @throws SvcError for a file that other users could have changed, or that is not a JSON object of settings.
     */
    read: async () => checkedAll(await readAll()),
    set: async (name: SettingName, text: string) => writeTexts(files, path, { ...(await readAll()), [name]: text }),
    async unset(name: SettingName) {
      const { [name]: removed, ...content } = await readAll();
      if (removed === undefined) return false;
      await writeTexts(files, path, content);
      return true;
    },
    text: () => files.readText(path),
    /**
     * Replaces the contents of `config.json`.
     *
     * @throws UsageError for a text that is not a JSON object of strings, or has an invalid setting. The file then stays unchanged.
     */
    async replace(text: string) {
      const content = textsIn(text);
      if (content === undefined)
        throw new UsageError('This text is not a JSON object of strings.', { hint: 'A line is "name": "value", with commas between.' });
      checkedAll(content);
      await files.writeThroughLink(path, text);
    },
  };
}

function checked(name: SettingName, text: string, check: (text: string) => string, path: string): string {
  try {
    return check(text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`The setting "${name}" in ${path} is not valid: ${error.message}`, {
      hint: `${error.hint ?? ''} Or: svc config unset ${name}`.trim(),
    });
  }
}
