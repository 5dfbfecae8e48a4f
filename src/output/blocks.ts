import type { Styles } from './styles.ts';

/** Lines of a label and a text each, which belong together: a record, as it is told to somebody who hears it. */
export type Block = readonly (readonly [label: string, text: string])[];

/** Draws blocks: `Project: Web shop`, further lines of a text indented below. Whoever makes them neutralises what is in them. */
export function blockDrawer({ heading }: Styles): (block: Block) => string {
  return (block) =>
    block.map(([label, text]) => `${heading(`${label}:`)} ${text.replaceAll('\n', '\n  ')}`.trimEnd().concat('\n')).join('');
}

/** The name of a field as a person says it: `created_at` is `Created at`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').toLowerCase();
  return words === 'id' ? 'ID' : words.slice(0, 1).toUpperCase() + words.slice(1);
}
