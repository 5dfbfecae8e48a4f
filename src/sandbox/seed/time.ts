import { DAY, HOUR, utcDate, utcSecond } from '../dates.ts';
import { BEGINNING, type Garden, isWeekend, midnightsBetween } from './plant.ts';
import { AWKWARD, NOTES } from './texts.ts';

/** Worklogs of every working day up to the present, and the timers that run now. The last worklog was logged an hour ago. */
export function plantTime({ plant, random, all, now }: Garden): void {
  const items = all('work-items');
  const projects = all('projects');
  const people = [1, 2, 3, 4, 5, 7, 8, 10];
  let awkward = 0;
  // A clock set before the beginning still gets a year of worklogs.
  for (const day of midnightsBetween(Math.min(BEGINNING, now - 365 * DAY), now)) {
    if (isWeekend(day)) continue;
    for (const user of people) {
      const entries = random.integer(0, 3);
      for (let i = 0; i < entries; i++) {
        const item = random.chance(0.7) ? random.pick(items) : undefined;
        const created = utcSecond(Math.min(now - HOUR, day + 17 * HOUR));
        const project = item?.['project_id'] ?? random.pick(projects).id;
        plant('worklogs', {
          date: utcDate(day),
          minutes: random.integer(1, 16) * 15,
          description: random.chance(0.01) ? (AWKWARD[awkward++ % AWKWARD.length] ?? '') : random.pick(NOTES),
          user_id: user,
          project_id: project,
          work_item_id: item?.id ?? null,
          budget_id: random.chance(0.3) && typeof project === 'number' ? project * 2 - 1 : null,
          // Often enough that a page of them shows it, and is not in its order.
          is_overtime: random.chance(0.1),
          is_not_billable: random.chance(0.1),
          exceeded_budget: false,
          reviewed_by: random.chance(0.5) ? 2 : null,
          created_at: created,
        });
      }
    }
  }
  plant('timers', { user_id: 1, project_id: 1, work_item_id: 12, description: 'Running', started_at: utcSecond(now - HOUR) });
  plant('timers', { user_id: 4, project_id: 2, description: '', started_at: utcSecond(now - 3 * HOUR) });
}
