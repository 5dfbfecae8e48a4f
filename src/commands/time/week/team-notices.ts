import type { TeamLeave } from '../../../records/leave.ts';
import type { Member } from '../../../records/team.ts';
import type { Needs } from '../../../session/context.ts';
import type { Entry } from '../../../time/entry.ts';
import { counted } from '../../../values/counted.ts';
import { formatDuration } from '../../../values/duration.ts';

/** Somebody of a team. */
interface Looked {
  readonly member: Member;
  readonly leave: TeamLeave;
}

/** What was found of a team. */
interface Found {
  readonly colleagues: readonly Looked[];
  /** Left out. */
  readonly inactive: readonly Member[];
  /** Entries that do not show whose they are. */
  readonly unassigned: readonly Entry[];
  /** Entries of nobody whose record was shown. */
  readonly strangers: readonly Entry[];
}

/** Says what is not known of a team, a line for each reason. */
export async function tellOfTeam(context: Needs<'notice'>, { colleagues, inactive, unassigned, strangers }: Found): Promise<void> {
  const those = (is: (colleague: Looked) => boolean) => namesOf(colleagues.filter(is).map(({ member }) => member));
  const lines = [
    [namesOf(inactive), (names: string) => `Not active, and so left out: ${names}.`],
    [
      those(({ member }) => member.hours.kind !== 'read'),
      (names: string) => `The working hours of ${names} are not known, so neither is what is missing. Why: svc week --user <name>`,
    ],
    [
      those(({ member }) => member.hours.kind === 'read' && member.hours.chosen),
      (names: string) => `The working hours of ${names} could be meant otherwise. How they are read: svc week --user <name>`,
    ],
    [
      those(({ member }) => member.timeZoneAssumed),
      (names: string) => `No time zone is in the records of ${names}, so one is assumed: ${assumedZone(colleagues)}.`,
    ],
    [
      those(({ leave }) => !leave.shown),
      (names: string) =>
        `The absences of ${names} are not known (other people’s take absences::manage): they may have had less to work, and lack less, than it looks.`,
    ],
    [
      those(({ leave }) => leave.shown && leave.unreadable > 0),
      (names: string) => `Some absences of ${names} cannot be read: they may have had less to work, and lack less, than it looks.`,
    ],
    [
      those(({ leave }) => leave.open.length > 0),
      (names: string) => `Of absences of ${names} it is not known whether their last day is one of them. Which: svc week --user <name>`,
    ],
  ] as const;
  for (const [names, line] of lines) if (names !== '') await context.notice(line(names));
  if (unassigned.length > 0)
    await context.notice(`It is not shown whose they are: ${timeOf(unassigned)}. So what each person logged is not known.`);
  if (strangers.length > 0) await context.notice(`Of people whose records are not shown, and so not counted: ${timeOf(strangers)}.`);
}

/** Names beyond these are counted. */
const MOST_NAMES = 12;

function namesOf(members: readonly Member[]): string {
  const names = members.slice(0, MOST_NAMES).map(({ name }) => name);
  const rest = members.length - names.length;
  if (rest > 0) names.push(`${rest} more`);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

function assumedZone(colleagues: readonly Looked[]): string {
  return colleagues.find(({ member }) => member.timeZoneAssumed)?.member.timeZone ?? '';
}

function timeOf(entries: readonly Entry[]): string {
  return `${counted(entries.length, 'entry', 'entries')} (${formatDuration(entries.reduce((sum, { minutes }) => sum + minutes, 0))})`;
}
