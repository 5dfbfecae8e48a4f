/**
 * Returns the chosen command that opens addresses: `SVC_BROWSER`, then `BROWSER`, then the setting. Undefined: the default of the system.
 */
export function browserCommand(env: Readonly<Record<string, string | undefined>>, configured: string | undefined): string | undefined {
  return env['SVC_BROWSER']?.trim() || env['BROWSER']?.trim() || configured?.trim() || undefined;
}
