/**
 * The resource of a write, from its path: `/worklogs/5902`, `/work-items/ABC-12/actions/transition`. Empty for a path that svc does not
 * know.
 */
export function whatIsWritten(path: string): { readonly noun?: string } {
  const noun = collectionsOf(path).at(-1);
  return noun !== undefined && /^[a-z]+(?:-[a-z]+)*$/.test(noun) ? { noun } : {};
}

/**
 * The path of the one record that a write changes or removes. Undefined for a create, and for actions other than a transition, which
 * nothing undoes.
 */
export function writtenRecordPath(method: string, path: string): string | undefined {
  const bare = path.split('?', 1)[0] ?? '';
  if (method === 'PATCH' || method === 'DELETE') return bare;
  return method === 'POST' && bare.endsWith(TRANSITION) ? bare.slice(0, -TRANSITION.length) : undefined;
}

/** Whether a POST creates a record that is the same at any time. A timer is not: it would begin to run later. */
export function isCreation(path: string): boolean {
  return !path.includes('/actions/') && !/^\/timers(?:$|[/?])/.test(path);
}

const TRANSITION = '/actions/transition';

/** Collections and ids take turns in a path, up to an action. */
function collectionsOf(path: string): string[] {
  const parts = (path.split('?', 1)[0] ?? '').split('/').slice(1);
  const action = parts.indexOf('actions');
  return (action < 0 ? parts : parts.slice(0, action)).filter((_, index) => index % 2 === 0);
}
