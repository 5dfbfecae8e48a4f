import { expect } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

/** A sandbox whose clock, and svc's, stand at this moment. */
export interface PinnedSandbox extends SignedIn {
  readonly now: number;
  /** Makes a record as the administrator, and gives its id. */
  addRecord(path: string, body: JsonObject): Promise<number>;
}

/** Signed in to a sandbox in which it is `moment` (ISO 8601). */
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

/** What a terminal was sent, its escape characters visible. */
export function screen(text: string): string {
  return text.replaceAll('\u001b', '‹ESC›');
}
