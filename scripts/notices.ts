import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Licences of code that a package contains but does not mention. jq-wasm contains jq itself. */
const OTHER_LICENCES: Readonly<Record<string, URL>> = { 'jq-wasm': new URL('licenses/jq.txt', import.meta.url) };

interface Notice {
  /** The name and version of the package, such as `undici 7.1.0`. */
  readonly name: string;
  readonly license: string;
  readonly text: string;
}

/**
 * Returns the licence texts of all packages in the bundle, because the licences require these texts.
 * @param modules files in the bundle.
 * @throws Error for a package without a licence text.
 */
export async function noticesOf(modules: Iterable<string>): Promise<string> {
  const roots = new Set([...modules].flatMap((id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []));
  const notices = await Promise.all([...roots].sort().map(readNotice));
  const byText = Map.groupBy(notices, ({ text }) => text);
  const parts = [...byText.values()].map((same) => {
    const names = same.map(({ name, license }) => `${name} (${license})`).sort();
    return `${names.join('\n')}\n\n${same[0]?.text}\n`;
  });
  return `svc contains code of these packages.\n\n${parts.sort().join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** Returns the licence text in a README, for a package without a licence file. Empty if the README only names the licence. */
async function licenceInReadme(root: string): Promise<readonly string[]> {
  const readme = await readFile(join(root, 'README.md'), 'utf8').catch(() => '');
  const [, text = ''] = /^#+ licen[cs]e\n(.*?)(?=^#|$(?![\s\S]))/ims.exec(readme) ?? [];
  return /permission is hereby granted/i.test(text) ? [text] : [];
}

async function readNotice(root: string): Promise<Notice> {
  const { name, version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  const files = (await readdir(root)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  if (texts.length === 0) texts.push(...(await licenceInReadme(root)));
  if (texts.length === 0) throw new Error(`${name} contains no licence text.`);
  const extra = OTHER_LICENCES[String(name)];
  if (extra !== undefined) texts.push(await readFile(extra, 'utf8'));
  const text = texts.map((one) => one.replace(/\r\n?/g, '\n').trim()).join('\n\n');
  return { name: `${name} ${version}`, license: String(license), text };
}
