import { expect } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

/** A sandbox with a fixed clock, which svc shares. */
export interface PinnedSandbox extends SignedIn {
  readonly now: number;
  /** Creates a record as the administrator, and returns its id. */
  addRecord(path: string, body: JsonObject): Promise<number>;
}

/** Signs in to a sandbox at a fixed time (ISO 8601). */
export async function signInAt(timestamp: string, options: Parameters<typeof signedIn>[0] = {}): Promise<PinnedSandbox> {
  const now = Date.parse(timestamp);
  const here = await signedIn({ clock: { now: () => now }, limits: 'off', ...options });
  return {
    ...here,
    now,
    svc: (argv, more = {}) => here.svc(argv, { now, ...more }),
    async addRecord(path, body) {
      const made = await here.svc(['api', '-X', 'POST', path, '--input', '-'], { stdin: JSON.stringify(body), now });
      expect(made.code, made.stderr).toBe(0);
      const record = JSON.parse(made.stdout) as { readonly id?: number; readonly data?: { readonly id: number } };
      return record.id ?? record.data?.id ?? 0;
    },
  };
}

/** Returns the output to a terminal, with visible escape characters. */
export function screen(text: string): string {
  return text.replaceAll('\u001b', '‹ESC›');
}
