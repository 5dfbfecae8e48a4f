import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, type Judge } from '../judge.ts';
import type { Place } from '../place.ts';
import { loggedIn, workingMinutes } from '../truth.ts';
import { type Daily, HOURS, WHO } from './daily.ts';

/** A working day, on which an absence was declined. */
const DAY = '2025-06-10';

/** The commits of one local day, with the time that each represents. The first commit is on the day before in UTC. */
const COMMITS = [
  { at: '2025-06-09T22:30:00Z', item: 3, minutes: 60 },
  { at: '2025-06-10T04:00:00Z', item: 5, minutes: 120 },
  { at: '2025-06-10T05:00:00Z', item: 7, minutes: 60 },
] as const;

/** Tests of hours from commits: on the author’s own day, and never more than the missing time. */
export const suggest: readonly Daily[] = [
  {
    name: 'worklogs suggest',
    matters: [...WHO, ...HOURS, 'workingHours', 'otherFilters'],
    async run(place) {
      const cwd = await addCommits(place);
      return attempt(place, ['worklogs', 'suggest', DAY, '--author', 'me@example.com'], {
        options: { cwd },
        judge: (judge) => proposals(judge, place),
      });
    },
  },
  {
    name: 'worklogs suggest --calendar',
    matters: [...WHO, ...HOURS, 'workingHours', 'otherFilters'],
    async run(place) {
      const file = join(place.home, 'work.ics');
      await writeFile(file, CALENDAR);
      return attempt(place, ['worklogs', 'suggest', DAY, '--calendar', file], { judge: (judge) => meetings(judge, place) });
    },
  },
];

/** A calendar for the same local day: an hour, three quarters of an hour, and a whole day. The first two overlap by half an hour. */
const CALENDAR = `BEGIN:VCALENDAR
BEGIN:VEVENT
UID:1
DTSTART:20250603T040000Z
DTEND:20250603T050000Z
RRULE:FREQ=WEEKLY
SUMMARY:Weekly
END:VEVENT
BEGIN:VEVENT
UID:2
DTSTART:20250610T043000Z
DURATION:PT45M
SUMMARY:ABC-5 Plan
END:VEVENT
BEGIN:VEVENT
UID:3
DTSTART;VALUE=DATE:20250610
SUMMARY:Birthday
END:VEVENT
END:VCALENDAR
`;

/** Checks the proposals: an hour, then fifteen minutes, up to the missing time. */
function meetings({ result, changes, same, inZone, json, unknown }: Judge, place: Place): void {
  same('changes', changes, []);
  const printed = result.stdout.trim() === '' ? [] : (json() as readonly Readonly<Record<string, unknown>>[]);
  if (printed.length === 0 && /does not know which hours are missing/.test(result.stderr)) {
    unknown();
    return;
  }
  const logged = loggedIn(place.rows('worklogs'), { first: DAY, last: DAY }).filter((row) => row['user_id'] === place.person.id);
  const gap = Math.max(0, (workingMinutes(place.person, DAY) ?? 0) - logged.reduce((sum, { minutes }) => sum + Number(minutes), 0));
  const [first, second] = [Math.min(60, gap), Math.min(15, Math.max(0, gap - 60))];
  inZone(
    'meetings',
    printed.map((one) => [one['date'], one['minutes'], one['description'], one['work_item_id']]),
    [
      [DAY, first, 'Weekly', null],
      [DAY, second, 'Plan', 5],
    ].filter(([, minutes]) => minutes !== 0),
  );
}

function proposals(judge: Judge, place: Place): void {
  const { result, changes, same, inZone, unknown } = judge;
  same('changes', changes, []);
  const printed = result.stdout.trim() === '' ? [] : (judge.json() as readonly Readonly<Record<string, unknown>>[]);
  if (printed.length === 0 && /does not know which hours are missing/.test(result.stderr)) {
    unknown();
    return;
  }
  const day = { first: DAY, last: DAY };
  const logged = loggedIn(place.rows('worklogs'), day).filter((row) => row['user_id'] === place.person.id);
  const gap = (workingMinutes(place.person, DAY) ?? 0) - logged.reduce((sum, { minutes }) => sum + Number(minutes), 0);
  const open = COMMITS.filter(({ item }) => !logged.some((row) => row['work_item_id'] === item));
  const most = Math.max(0, Math.floor(gap / 15) * 15);
  inZone(
    'work items and days',
    printed.map((one) => [one['work_item_id'], one['date']]),
    most < 15 * open.length ? printed.map((one) => [one['work_item_id'], DAY]) : open.map(({ item }) => [item, DAY]),
  );
  inZone(
    'minutes in all',
    printed.reduce((sum, { minutes }) => sum + Number(minutes), 0),
    Math.min(
      open.reduce((sum, { minutes }) => sum + minutes, 0),
      most,
    ),
  );
}

/** Creates a repository with the commits in one process. Returns its directory. */
async function addCommits(place: Place): Promise<string> {
  const cwd = join(place.home, 'repository');
  await mkdir(cwd);
  const env = { PATH: process.env['PATH'], HOME: place.home };
  const git = (args: readonly string[], input: string) =>
    new Promise<void>((resolve, reject) => {
      const child = execFile('git', args, { cwd, env }, (error) => (error === null ? resolve() : reject(error)));
      // The process may end before it has read all input, and then reports its own error.
      child.stdin?.on('error', () => undefined).end(input);
    });
  await git(['init', '-q', '-b', 'main'], '');
  const commits = COMMITS.map(({ at, item }) => {
    const message = `ABC-${item}: Work on it`;
    return `commit refs/heads/main\ncommitter Me <me@example.com> ${Date.parse(at) / 1000} +0000\ndata ${message.length}\n${message}\n`;
  });
  await git(['fast-import', '--quiet'], commits.join(''));
  return cwd;
}
