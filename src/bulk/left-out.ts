import type { Needs } from '../session/context.ts';

/** The resources that the setting `sync-exclude` keeps out of the local database and of exports. */
export async function leftOut({ settings }: Needs<'settings'>): Promise<readonly string[]> {
  return (await settings())['sync-exclude']?.split(' ') ?? [];
}

/** Whether a resource is among them: by its own name, as child records (`customers.contacts`), or by the name of its parent. */
export function isLeftOut(noun: string, without: readonly string[]): boolean {
  const names = [noun, ...noun.split('.')];
  return names.some((name) => without.some((word) => name === word || name === `${word}s`));
}
