import type { Files } from '../deps.ts';
import { SvcError, UsageError } from '../errors.ts';
import type { Setting, SettingName, Settings } from './settings.ts';

/** `config.json`: an object of setting names and texts. Unknown names are kept, so that an older svc loses nothing. */
export interface ConfigFile {
  readonly path: string;
  /** @throws SvcError when the file is no JSON object of texts, or a setting in it is not valid. */
  read(): Promise<Settings>;
  set(name: SettingName, text: string): Promise<void>;
  unset(name: SettingName): Promise<boolean>;
}

/** The configuration file in `directory`, with each setting checked against `table` on the way in and out. */
export function openConfigFile(files: Files, directory: string, table: readonly Setting[]): ConfigFile {
  const path = `${directory}/config.json`;

  async function readAll(): Promise<Record<string, string>> {
    const text = await files.readText(path);
    if (text === undefined) return {};
    const content = parseObject(text);
    if (content === undefined) {
      throw new SvcError(`${path} is not a JSON object of texts.`, { hint: 'Mend it in an editor, or delete it to start from nothing.' });
    }
    return content;
  }

  return {
    path,
    async read() {
      const content = await readAll();
      const settings: Partial<Record<SettingName, string>> = {};
      for (const { name, check } of table) {
        const text = content[name];
        if (text !== undefined) settings[name] = checked(name, text, check, path);
      }
      return settings;
    },
    async set(name, text) {
      const content = { ...(await readAll()), [name]: text };
      await files.writeAtomic(path, `${JSON.stringify(content, undefined, 2)}\n`);
    },
    async unset(name) {
      const { [name]: removed, ...content } = await readAll();
      if (removed === undefined) return false;
      await files.writeAtomic(path, `${JSON.stringify(content, undefined, 2)}\n`);
      return true;
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

function parseObject(text: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.values(value).every((entry) => typeof entry === 'string') ? (value as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
}
