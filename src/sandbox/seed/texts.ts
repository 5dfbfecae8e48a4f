/** Ordinary notes of people at work. */
export const NOTES = [
  'Review with the team',
  'Fixed the import of old invoices',
  'Planning',
  'Call with the customer',
  'Wrote the release notes',
  'Pairing on the search page',
  'Tests for the billing run',
  'Daily and e-mail',
  'Prepared the workshop',
  'Deployment, then watched the graphs',
] as const;

/** Notes that programs stumble over. */
export const AWKWARD = [
  'He said "later", then left',
  'one, two; three\tfour',
  'first line\nsecond line\r\nthird line',
  '=1+1',
  '+31 20 123 4567',
  '-5 degrees',
  '@everyone',
  '=HYPERLINK("http://example.com","click")',
  '🚀 shipped 👩‍👩‍👧‍👦 with 🇳🇱',
  'مراجعة مع الفريق (review)',
  '\u202Ereversed\u202C text',
  '\u001b[31mred\u001b[0m and \u001b]0;title\u0007 \u001b[2J',
  'nul \u0000 bell \u0007 backspace \u0008',
  '<b>bold</b> & <script>alert(1)</script>',
  '日本語のメモ、全角文字',
  'e\u0301 combining, zero\u200Bwidth',
  '   spaces around   ',
  '',
  'null',
  '$(rm -rf ~) `id` %PATH% {{7*7}}',
  `A very long note. ${'It goes on and on about the same thing. '.repeat(60)}`,
] as const;

/** Titles of the work items. */
export const TITLES = [
  'Search finds nothing with accents',
  'Invoice PDF cuts off the last row',
  'Add a dark theme',
  'Import customers from a spreadsheet',
  'Log in with a passkey',
  'Slow start on Monday mornings',
  'Round minutes the same way everywhere',
  'Show leave in the week view',
  'Export for the accountant',
  'Mail bounces for long names',
  'Drag and drop on touch screens',
  'Time zone of holidays is wrong',
  'Webhook retries',
  'Undo for deleted rows',
  'Reminders for empty days',
] as const;
