import type { Cells } from './define.ts';

const MAILS = ['email', 'e-mail', 'mail', 'email address', 'e-mail address', 'user email', 'member email'] as const;

const NAMES = 'user,member,person,employee,full name,name,user name,username,team member,alias,worker,colleague,consultant'.split(',');

export const PERSON_COLUMNS: readonly string[] = [...MAILS, 'first name', 'last name', ...NAMES];

/** Lists everything that identifies the user of a row. E-mail addresses come first, because several people can have the same name. */
export function peopleOfRow(cells: Cells): readonly string[] {
  const parts = [cells('first name'), cells('last name')].filter((part) => part !== '').join(' ');
  const found = [...MAILS.map((name) => cells(name)), parts, ...NAMES.map((name) => cells(name))];
  return [...new Set(found.filter((text) => text !== ''))];
}
