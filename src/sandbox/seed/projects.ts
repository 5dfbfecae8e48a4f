import { DAY, utcDate, utcSecond } from '../dates.ts';
import { BEGINNING, type Garden } from './plant.ts';
import { AWKWARD, TITLES } from './texts.ts';

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

/** Projects with budgets and links, sprints, and work items with all that hangs on them. `ABC-12` is always there. */
export function plantProjects(garden: Garden): void {
  const { plant, now } = garden;
  for (const name of ['Fixed price', 'Hourly']) plant('budget-groups', { name });
  for (const [index, [name, prefix, status]] of PROJECTS.entries()) {
    const project = plant('projects', {
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
      plant('budgets', { project_id: project.id, budget_group_id: (index % 2) + 1, name: part, budget: minutes, hourly_rate: '95.00' });
    }
    plant('project-links', { project_id: project.id, name: 'Repository', url: `https://git.example/${prefix.toLowerCase()}`, order: 1 });
    for (const task of ['Analysis', 'Build'])
      plant('tasks', { name: task, project_id: project.id, status: 'open', column: 'Backlog', assignee_id: 4 });
  }
  const first = Math.max(BEGINNING, now - 84 * DAY);
  for (let i = 0; i < 8; i++) {
    const start = first + i * 14 * DAY;
    const end = start + 13 * DAY;
    const state = end < now ? 'completed' : start <= now ? 'active' : 'planned';
    const completed = state === 'completed' ? utcSecond(end) : null;
    plant('sprints', {
      name: `Sprint ${i + 1}`,
      state,
      start_date: utcDate(start),
      end_date: utcDate(end),
      completed_at: completed,
      order: i + 1,
    });
  }
  plantWorkItems(garden);
}

function plantWorkItems({ plant, random, all, now }: Garden): void {
  const numbers = new Map<number, number>();
  for (let i = 0; i < WORK_ITEMS; i++) {
    // The first twelve are of one project, so that it has a twelfth.
    const project = i < 12 ? all('projects')[0] : random.pick(all('projects'));
    if (project === undefined) continue;
    const number = (numbers.get(project.id) ?? 0) + 1;
    numbers.set(project.id, number);
    const statuses = all('workflow-statuses').filter((status) => status['workflow_id'] === project['workflow_id']);
    const key = `${String(project['key_prefix'])}-${number}`;
    const created = BEGINNING + random.next() * (Math.max(now, BEGINNING + DAY) - BEGINNING);
    const isTwelfth = key === 'ABC-12';
    const item = plant('work-items', {
      issue_key: key,
      title: i % 9 === 4 ? AWKWARD[i % AWKWARD.length] || 'Untitled' : random.pick(TITLES),
      type: random.pick(['story', 'bug', 'task', 'epic']),
      priority: random.pick(['normal', 'low', 'high', 'urgent']),
      description: i % 2 === 0 ? '<p>As a <em>person</em> I want this to work.</p><ul><li>fast</li><li>right</li></ul>' : null,
      project_id: project.id,
      // ABC-12 is In progress: one transition is allowed, one is not.
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
    if (random.chance(0.4)) plant('subtasks', { work_item_id: item.id, title: 'Write it down', is_done: random.chance(0.5), order: 1 });
    if (random.chance(0.4)) plant('subtasks', { work_item_id: item.id, title: 'Tell everyone', is_done: false, order: 2 });
    if (random.chance(0.5)) plant('comments', { work_item_id: item.id, body: '<p>Looks good to me.</p>', user_id: random.integer(1, 12) });
    if (random.chance(0.1))
      plant('attachments', { work_item_id: item.id, file_name: 'screen shot (1).png', mime_type: 'image/png', size: 48_213, user_id: 1 });
    if (i > 20 && random.chance(0.15))
      plant('work-item-links', { work_item_id: item.id, linked_work_item_id: random.integer(1, 20), type: 'relates_to' });
  }
}
