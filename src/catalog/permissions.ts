import { ownEntry } from '../values/own-entry.ts';

/**
 * The permissions that the documentation names for a plain request, by resource and method (rules 11.13, 11.40, 11.41). Some
 * depend on the request (the absences of others, overtime): the service names those.
 */
const NEEDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  worklogs: { GET: 'hours::read' },
  timers: { GET: 'hours::read' },
  checkins: { GET: 'checkins::read' },
  workflows: { POST: 'workflows::create' },
};

/** The permission that a user needs for a request: `hours::read`; undefined where the documentation names none. */
export function permissionFor(noun: string, method: string): string | undefined {
  return ownEntry(ownEntry(NEEDED, noun) ?? {}, method);
}
