import type { Area } from './define.ts';

/** The groups of resources, in the order of help. svc loads a group when you use one of its resources. */
export const AREAS = {
  time: async () => (await import('./time.ts')).time,
  'work-items': async () => (await import('./work-items.ts')).workItemArea,
  sprints: async () => (await import('./planning.ts')).sprintArea,
  projects: async () => (await import('./projects.ts')).projectArea,
  customers: async () => (await import('./customers.ts')).customerArea,
  billing: async () => (await import('./billing.ts')).billingArea,
  leave: async () => (await import('./leave.ts')).leaveArea,
  planning: async () => (await import('./planning.ts')).planningArea,
  drive: async () => (await import('./drive.ts')).driveArea,
  organization: async () => (await import('./organization.ts')).organizationArea,
  configuration: async () => (await import('./configuration.ts')).configurationArea,
} as const satisfies Record<string, () => Promise<Area>>;

export type AreaName = keyof typeof AREAS;
