import { readFile } from 'node:fs/promises';

/** The fields of package.json that say who publishes svc, and where. Every other file takes them from there. */
export interface Publisher {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly homepage: string;
  readonly bugs: string;
  readonly repository: { readonly type: 'git'; readonly url: string };
  /** The address of the releases. `/download/v<version>/<file>` and `/latest/download/<file>` of it are their files, as at GitHub. */
  readonly releases: string;
}

export async function readPublisher(): Promise<Publisher> {
  return JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
}

/** @throws Error while the addresses in package.json are the reserved ones of the source, which lead nowhere. */
export function requireAddresses({ author, homepage, bugs, repository, releases }: Publisher): void {
  const reserved = [author.email, homepage, bugs, repository.url, releases].filter((text) => /\.example\b/.test(text));
  if (reserved.length > 0)
    throw new Error(
      `package.json has addresses that lead nowhere: ${reserved.join(', ')}. docs/contributing/releasing.md says how to set them.`,
    );
}

/** Returns the address of a file of the present version. */
export function addressOf(publisher: Publisher, file: string): string {
  return `${publisher.releases}/download/v${publisher.version}/${file}`;
}
