import { DAY, HOUR, utcDate, utcSecond } from '../dates.ts';
import { AWKWARD, BEGINNING, isWeekend, midnightsBetween, NOTES, type Seeding, TITLES } from './seeding.ts';

export function seedConfiguration({ addRecord }: Seeding): void {
  const development = addRecord('workflows', { name: 'Development', order: 1 });
  const simple = addRecord('workflows', { name: 'Simple', order: 2 });
  const status = (workflow: number, name: string, category: string, order: number): number =>
    addRecord('workflow-statuses', { workflow_id: workflow, name, category, order, color: '#8899aa' }).id;
  const move = (workflow: number, from: number, to: number): void => {
    addRecord('workflow-transitions', { workflow_id: workflow, from_status_id: from, to_status_id: to, name: null });
  };

  const todo = status(development.id, 'To do', 'todo', 1);
  const doing = status(development.id, 'In progress', 'in_progress', 2);
  const review = status(development.id, 'In review', 'in_progress', 3);
  const done = status(development.id, 'Done', 'done', 4);
  // The workflow lacks the transition from To do to Done, so that clients can see a refused transition.
  for (const [from, to] of [
    [todo, doing],
    [doing, todo],
    [doing, review],
    [review, doing],
    [review, done],
    [doing, done],
    [done, todo],
  ] as const) {
    move(development.id, from, to);
  }
  const open = status(simple.id, 'Open', 'todo', 1);
  const closed = status(simple.id, 'Closed', 'done', 2);
  move(simple.id, open, closed);
  move(simple.id, closed, open);

  for (const [order, name] of ['bug', 'customer', 'quick win', 'needs “design”', 'ops, infra', 'دعم'].entries()) {
    addRecord('labels', { name, color: `#${(order * 2222221 + 1118481).toString(16).padStart(6, '0').slice(0, 6)}`, order: order + 1 });
  }
  for (const [order, [name, rate]] of [
    ['Development', '95.00'],
    ['Design', '90.00'],
    ['Consultancy', '120.00'],
    ['Internal', null],
  ].entries()) {
    addRecord('work-types', { name: name ?? '', hourly_rate: rate ?? null, is_billable: rate !== null, order: order + 1 });
  }
}

const PROJECTS = [
  ['Aurora: billing and change', 'ABC', 'active'],
  ['Web shop', 'WEB', 'active'],
  ['Mobile app 📱', 'APP', 'active'],
  ['Data warehouse', 'DWH', 'on-hold'],
  ['Office, "new" and improved', 'OFF', 'planned'],
  ['Old intranet', 'INT', 'completed'],
  ['مشروع التدريب', 'TRN', 'active'],
  ['Internal', 'OPS', 'active'],
] as const;

const WORK_ITEMS = 120;

/**
 * Creates projects with budgets, links and tasks, sprints, and work items with their child records. The work item `ABC-12` always exists.
 */
export function seedProjects(garden: Seeding): void {
  const { addRecord, now } = garden;
  for (const name of ['Fixed price', 'Hourly']) addRecord('budget-groups', { name });
  for (const [index, [name, prefix, status]] of PROJECTS.entries()) {
    const project = addRecord('projects', {
      name,
      key_prefix: prefix,
      status,
      description: index % 3 === 0 ? `<p>${name} in <strong>three</strong> phases.</p>` : null,
      customer_id: prefix === 'OPS' ? null : (index % 6) + 1,
      project_manager_id: index % 2 === 0 ? 7 : 2,
      company_branch_id: (index % 3) + 1,
      workflow_id: prefix === 'OPS' || prefix === 'OFF' ? 2 : 1,
      start_date: '2025-01-01',
      end_date: status === 'completed' ? '2025-12-31' : null,
      hourly_rate: prefix === 'OPS' ? null : '95.00',
      is_billable: prefix !== 'OPS',
      tag_ids: index % 2 === 0 ? [2] : [],
    });
    for (const [part, minutes] of [
      ['Build', 48_000],
      ['Care', 12_000],
    ] as const) {
      addRecord('budgets', { project_id: project.id, budget_group_id: (index % 2) + 1, name: part, budget: minutes, hourly_rate: '95.00' });
    }
    addRecord('project-links', {
      project_id: project.id,
      name: 'Repository',
      url: `https://git.example/${prefix.toLowerCase()}`,
      order: 1,
    });
    for (const task of ['Analysis', 'Build'])
      addRecord('tasks', { name: task, project_id: project.id, status: 'open', column: 'Backlog', assignee_id: 4 });
  }
  const first = Math.max(BEGINNING, now - 84 * DAY);
  for (let i = 0; i < 8; i++) {
    const start = first + i * 14 * DAY;
    const end = start + 13 * DAY;
    const state = end < now ? 'completed' : start <= now ? 'active' : 'planned';
    const completed = state === 'completed' ? utcSecond(end) : null;
    addRecord('sprints', {
      name: `Sprint ${i + 1}`,
      state,
      start_date: utcDate(start),
      end_date: utcDate(end),
      completed_at: completed,
      order: i + 1,
    });
  }
  seedWorkItems(garden);
}

function seedWorkItems({ addRecord, random, all, now }: Seeding): void {
  const numbers = new Map<number, number>();
  for (let i = 0; i < WORK_ITEMS; i++) {
    // The first twelve work items belong to one project, so that ABC-12 exists.
    const project = i < 12 ? all('projects')[0] : random.pick(all('projects'));
    if (project === undefined) continue;
    const number = (numbers.get(project.id) ?? 0) + 1;
    numbers.set(project.id, number);
    const statuses = all('workflow-statuses').filter((status) => status['workflow_id'] === project['workflow_id']);
    const key = `${String(project['key_prefix'])}-${number}`;
    const created = BEGINNING + random.next() * (Math.max(now, BEGINNING + DAY) - BEGINNING);
    const isTwelfth = key === 'ABC-12';
    const item = addRecord('work-items', {
      issue_key: key,
      title: i % 9 === 4 ? AWKWARD[i % AWKWARD.length] || 'Untitled' : random.pick(TITLES),
      type: random.pick(['story', 'bug', 'task', 'epic']),
      priority: random.pick(['normal', 'low', 'high', 'urgent']),
      description: i % 2 === 0 ? '<p>As a <em>person</em> I want this to work.</p><ul><li>fast</li><li>right</li></ul>' : null,
      project_id: project.id,
      // ABC-12 has the status In progress, from which the workflow allows a transition to each other status.
      workflow_status_id: isTwelfth ? (statuses[1]?.id ?? null) : random.pick(statuses).id,
      sprint_id: random.chance(0.5) ? random.integer(1, 8) : null,
      assignee_id: random.chance(0.8) ? random.integer(1, 12) : null,
      reporter_id: random.integer(1, 12),
      due_date: random.chance(0.4) ? utcDate(created + 30 * DAY) : null,
      estimation: random.chance(0.7) ? random.integer(1, 32) * 30 : null,
      order: i + 1,
      version: random.integer(1, 9),
      label_ids: random.chance(0.4) ? [random.integer(1, 6)] : [],
      created_at: utcSecond(created),
    });
    if (random.chance(0.4)) addRecord('subtasks', { work_item_id: item.id, title: 'Write it down', is_done: random.chance(0.5), order: 1 });
    if (random.chance(0.4)) addRecord('subtasks', { work_item_id: item.id, title: 'Tell everyone', is_done: false, order: 2 });
    if (random.chance(0.5))
      addRecord('comments', { work_item_id: item.id, body: '<p>Looks good to me.</p>', user_id: random.integer(1, 12) });
    if (random.chance(0.1))
      addRecord('attachments', {
        work_item_id: item.id,
        file_name: 'screen shot (1).png',
        mime_type: 'image/png',
        size: 48_213,
        user_id: 1,
      });
    if (i > 20 && random.chance(0.15))
      addRecord('work-item-links', { work_item_id: item.id, linked_work_item_id: random.integer(1, 20), type: 'relates_to' });
  }
}

/** Creates worklogs on working days up to the current time, and two running timers. Nobody logged a worklog within the last hour. */
export function seedTime({ addRecord, random, all, now }: Seeding): void {
  const items = all('work-items');
  const projects = all('projects');
  const people = [1, 2, 3, 4, 5, 7, 8, 10];
  let awkward = 0;
  // With a clock before 2026, the sandbox still has a year of worklogs.
  for (const day of midnightsBetween(Math.min(BEGINNING, now - 365 * DAY), now)) {
    if (isWeekend(day)) continue;
    const date = utcDate(day);
    const created = utcSecond(Math.min(now - HOUR, day + 17 * HOUR));
    for (const user of people) {
      const entries = random.integer(0, 3);
      for (let i = 0; i < entries; i++) {
        const item = random.chance(0.7) ? random.pick(items) : undefined;
        const project = item?.['project_id'] ?? random.pick(projects).id;
        addRecord('worklogs', {
          date,
          minutes: random.integer(1, 16) * 15,
          description: random.chance(0.01) ? (AWKWARD[awkward++ % AWKWARD.length] ?? '') : random.pick(NOTES),
          user_id: user,
          project_id: project,
          work_item_id: item?.id ?? null,
          budget_id: random.chance(0.3) && typeof project === 'number' ? project * 2 - 1 : null,
          // With this probability, most pages of worklogs contain true and false.
          is_overtime: random.chance(0.1),
          is_not_billable: random.chance(0.1),
          exceeded_budget: false,
          reviewed_by: random.chance(0.5) ? 2 : null,
          created_at: created,
        });
      }
    }
  }
  addRecord('timers', { user_id: 1, project_id: 1, work_item_id: 12, description: 'Running', started_at: utcSecond(now - HOUR) });
  addRecord('timers', { user_id: 4, project_id: 2, description: '', started_at: utcSecond(now - 3 * HOUR) });
}
