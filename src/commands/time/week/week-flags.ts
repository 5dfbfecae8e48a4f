import type { Globals } from '../../../cli/globals.ts';
import { UsageError } from '../../../errors.ts';

/** The flags of `svc week`, whatever they hold. */
type Flags = Readonly<
  Record<
    'user' | 'target' | 'team' | 'manager' | 'users' | 'branch' | 'missing' | 'remind' | 'balance' | 'from' | 'to' | 'html',
    string | number | true | undefined
  >
>;

/** A flag that says nothing without another one. */
const NEEDS = [
  ['manager', 'team'],
  ['users', 'team'],
  ['branch', 'team'],
  ['missing', 'team'],
  ['remind', 'team'],
  ['from', 'balance'],
  ['to', 'balance'],
] as const;

const ONE_CHOICE = 'Choose one of --manager, --users and --branch.';

/** Flags of which one alone can be meant, and what to do. */
const APART = [
  ['team', 'user', 'Name several people with --users.'],
  ['team', 'target', 'A team goes by the working hours in its people’s records.'],
  ['manager', 'users', ONE_CHOICE],
  ['manager', 'branch', ONE_CHOICE],
  ['users', 'branch', ONE_CHOICE],
  ['balance', 'missing', 'Use --missing with a week.'],
  ['balance', 'remind', 'Use --remind with a week.'],
  ['balance', 'html', 'A page is of a week.'],
  ['remind', 'html', 'Choose a text or a page.'],
] as const;

/** @throws UsageError for flags that cannot be meant together. */
export function checkWeekFlags(args: readonly string[], flags: Flags, { output, fields, jq }: Globals): void {
  for (const [flag, other] of NEEDS)
    if (flags[flag] !== undefined && flags[other] === undefined)
      throw new UsageError(`--${flag} goes with --${other}.`, { hint: `Add --${other}.` });
  for (const [flag, other, hint] of APART)
    if (flags[flag] !== undefined && flags[other] !== undefined)
      throw new UsageError(`--${flag} and --${other} cannot be used together.`, { hint });
  if (flags.balance && args.length > 0)
    throw new UsageError('--balance is no week: it takes its days from --from and --to.', { hint: 'svc week --balance --from 2026-01-01' });
  if (flags.remind && (output ?? fields ?? jq) !== undefined)
    throw new UsageError('--remind prints a text, so it cannot be used with --output, --fields or --jq.', {
      hint: 'The same as data: svc week --team --missing',
    });
}
