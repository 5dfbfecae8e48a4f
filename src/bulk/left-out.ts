import type { Needs } from '../session/context.ts';

/** Collections that the setting `copy-without` keeps from being copied. */
export async function leftOut({ settings }: Needs<'settings'>): Promise<readonly string[]> {
  return (await settings())['copy-without']?.split(' ') ?? [];
}

/** Whether a collection, or one below records (`customers.contacts`), is among them, or lies below one that is. */
export function isLeftOut(noun: string, without: readonly string[]): boolean {
  return noun.split('.').some((part) => without.some((word) => part === word || part === `${word}s`));
}
