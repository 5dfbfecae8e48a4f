import { isPlainObject } from './json.ts';

/** A function that returns true if a value has the expected form. For files that svc reads often, because zod takes longer to load. */
export type FormCheck = (value: unknown) => boolean;

export function optional(check: FormCheck): FormCheck {
  return (value) => value === undefined || check(value);
}

export function eachOf(check: FormCheck): FormCheck {
  return (value) => Array.isArray(value) && value.every(check);
}

/** Checks the given members of an object. Accepts further members. */
export function shape(members: Readonly<Record<string, FormCheck>>): FormCheck {
  return (value) => isPlainObject(value) && Object.entries(members).every(([name, check]) => check(value[name]));
}
