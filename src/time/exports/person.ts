import type { Cells } from './define.ts';

/** Columns that hold an e-mail address. */
const MAILS = ['email', 'e-mail', 'mail', 'email address', 'e-mail address', 'user email', 'member email'] as const;

/** Columns that hold a name, or one that somebody signs in with. */
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

/** Every column that may say whose hours a row is, in lower case. */
export const PERSON_COLUMNS: readonly string[] = [...MAILS, 'first name', 'last name', ...NAMES];

/** All that a row says of whose hours it is: addresses first, since only they are one person's alone. */
export function peopleOfRow(cells: Cells): readonly string[] {
  const parts = [cells('first name'), cells('last name')].filter((part) => part !== '').join(' ');
  const said = [...MAILS.map((name) => cells(name)), parts, ...NAMES.map((name) => cells(name))];
  return [...new Set(said.filter((text) => text !== ''))];
}
