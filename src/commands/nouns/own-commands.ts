import type { ActionName, OwnExtra, OwnWay, Resource } from '../../catalog/define.ts';
import type { CommandSpec } from '../../cli/spec.ts';
import type { Context } from '../../session/context.ts';

type Spec = CommandSpec<Context>;

/** The code of each action that the catalog names; one without code is a type error. */
export const ACTIONS: Readonly<Record<ActionName, (resource: Resource) => Promise<Spec>>> = {
  transition: async (resource) => (await import('../actions/transition.ts')).transitionCommand(resource),
  move: async (resource) => (await import('../actions/move.ts')).moveCommand(resource),
  complete: async (resource) => (await import('../actions/complete.ts')).completeCommand(resource),
  apply: async (resource) => (await import('../actions/apply.ts')).applyCommand(resource),
};

/** The same for what a resource does in its own way, built on the command that every resource has. */
export const WAYS: Readonly<Record<OwnWay, (plain: Spec, resource: Resource) => Promise<Spec>>> = {
  'log-hours': async (plain) => (await import('../time/add.ts')).addCommand(plain),
  'edit-days': async (plain) => (await import('../time/edit-days.ts')).editDaysCommand(plain),
  'import-hours': async (_, resource) => {
    const [{ importCommand }, { hoursTranslation }] = await Promise.all([import('./import.ts'), import('../time/import/import-hours.ts')]);
    return importCommand(resource, hoursTranslation);
  },
};

/** The same for what it has beside that. */
export const EXTRAS: Readonly<Record<OwnExtra, () => Promise<Spec>>> = {
  'suggest-hours': async () => (await import('../time/suggest/suggest.ts')).suggest,
  'copy-hours': async () => (await import('../time/copy.ts')).copyHours,
  'add-leave': async () => (await import('../leave/add-leave.ts')).addLeave,
  'who-is-away': async () => (await import('../leave/who.ts')).whoIsAway,
  'start-timer': async () => (await import('../time/timers/start.ts')).startTimer,
  'stop-timer': async () => (await import('../time/timers/stop.ts')).stopTimer,
  'switch-timer': async () => (await import('../time/timers/switch.ts')).switchTimer,
  'cancel-timer': async () => (await import('../time/timers/cancel.ts')).cancelTimer,
  'timer-status': async () => (await import('../time/timers/status.ts')).timerStatus,
  'absence-calendar': async () => (await import('../leave/absence-calendar.ts')).absenceCalendar,
  'used-days': async () => (await import('../leave/used-leave.ts')).usedDays,
  'burn-budgets': async () => (await import('../planning/budgets-burn.ts')).budgetsBurn,
  'attach-files': async () => (await import('../files/attach.ts')).attachFiles,
  'upload-files': async () => (await import('../files/upload.ts')).uploadFiles,
  'download-files': async () => (await import('../files/download.ts')).downloadFiles,
  'burn-down': async () => (await import('../planning/burndown.ts')).burndown,
};
