import type { Cells } from './define.ts';

/** Columns with an e-mail address. */
const MAILS = ['email', 'e-mail', 'mail', 'email address', 'e-mail address', 'user email', 'member email'] as const;

/** Columns with a name or a sign-in name. */
const NAMES = [
  'user',
  'member',
  'person',
  'employee',
  'full name',
  'name',
  'user name',
  'username',
  'team member',
  'alias',
  'worker',
  'colleague',
  'consultant',
] as const;

/** Every column that can name the user of a row, in lower case. */
export const PERSON_COLUMNS: readonly string[] = [...MAILS, 'first name', 'last name', ...NAMES];

/** Returns everything that names the user of a row: addresses first, since no two people share one. */
export function peopleOfRow(cells: Cells): readonly string[] {
  const parts = [cells('first name'), cells('last name')].filter((part) => part !== '').join(' ');
  const said = [...MAILS.map((name) => cells(name)), parts, ...NAMES.map((name) => cells(name))];
  return [...new Set(said.filter((text) => text !== ''))];
}
