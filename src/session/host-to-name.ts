import type { Needs } from './context.ts';

/**
 * The organisation of this command line, where a line without `--host` would not surely go there: undefined where it is the
 * configured one, or the only one, or nothing names one. A variable or a directory's file chose it for here and now alone.
 */
export async function hostToName(context: Needs<'resolvedHost' | 'settings'>): Promise<string | undefined> {
  try {
    const { host, source } = await context.resolvedHost();
    if (source === 'configuration' || source === 'only-sign-in') return undefined;
    return (await context.settings()).host === host.name ? undefined : host.name;
  } catch {
    // That nothing names a host, or the settings cannot be read, is for whoever needs them to say.
    return undefined;
  }
}

/** ` --host acme.example.com`, for a command that is printed to be run; empty where it goes to {@link hostToName} by itself. */
export async function hostFlag(context: Needs<'resolvedHost' | 'settings'>): Promise<string> {
  const host = await hostToName(context);
  return host === undefined ? '' : ` --host ${host}`;
}
