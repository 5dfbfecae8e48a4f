import type { Garden } from './plant.ts';

/** Two workflows, their statuses and allowed transitions; labels and work types. */
export function plantConfiguration({ plant }: Garden): void {
  const development = plant('workflows', { name: 'Development', order: 1 });
  const simple = plant('workflows', { name: 'Simple', order: 2 });
  const status = (workflow: number, name: string, category: string, order: number): number =>
    plant('workflow-statuses', { workflow_id: workflow, name, category, order, color: '#8899aa' }).id;
  const move = (workflow: number, from: number, to: number): void => {
    plant('workflow-transitions', { workflow_id: workflow, from_status_id: from, to_status_id: to, name: null });
  };

  const todo = status(development.id, 'To do', 'todo', 1);
  const doing = status(development.id, 'In progress', 'in_progress', 2);
  const review = status(development.id, 'In review', 'in_progress', 3);
  const done = status(development.id, 'Done', 'done', 4);
  // The transition from To do straight to Done is not allowed, so that there is something to refuse.
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
    plant('labels', { name, color: `#${(order * 2222221 + 1118481).toString(16).padStart(6, '0').slice(0, 6)}`, order: order + 1 });
  }
  for (const [order, [name, rate]] of [
    ['Development', '95.00'],
    ['Design', '90.00'],
    ['Consultancy', '120.00'],
    ['Internal', null],
  ].entries()) {
    plant('work-types', { name: name ?? '', hourly_rate: rate ?? null, is_billable: rate !== null, order: order + 1 });
  }
}
