import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A ULID: 48 bits of time and 80 of chance, in 26 characters of Crockford's base 32. */
export function ulid(now: number): string {
  let time = '';
  for (let rest = now, i = 0; i < 10; i++) {
    time = CROCKFORD.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let chance = '';
  for (const byte of randomBytes(16)) chance += CROCKFORD.charAt(byte % 32);
  return time + chance;
}
