/**
 * The command that opens addresses, where somebody chose one: `SVC_BROWSER`, then `BROWSER`, then the setting. Undefined: what the system opens
 * addresses with.
 */
export function browserCommand(env: Readonly<Record<string, string | undefined>>, configured: string | undefined): string | undefined {
  return env['SVC_BROWSER']?.trim() || env['BROWSER']?.trim() || configured?.trim() || undefined;
}
