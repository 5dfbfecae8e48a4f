import type { Needs } from './context.ts';

/**
 * The organisation of this command line, where a line without `--host` might go elsewhere. Undefined for the configured one, for the only
 * one, and when nothing names one. A variable or a directory's file chose the organisation for here and now alone.
 */
export async function hostToName(context: Needs<'resolvedHost' | 'settings'>): Promise<string | undefined> {
  try {
    const { host, source } = await context.resolvedHost();
    if (source === 'configuration' || source === 'only-sign-in') return undefined;
    return (await context.settings()).host === host.name ? undefined : host.name;
  } catch {
    // The code that needs the host or the settings reports their errors.
    return undefined;
  }
}

/** ` --host acme.example.com`, for a command that svc prints to be run; empty where the command goes to {@link hostToName} by itself. */
export async function hostFlag(context: Needs<'resolvedHost' | 'settings'>): Promise<string> {
  const host = await hostToName(context);
  return host === undefined ? '' : ` --host ${host}`;
}
