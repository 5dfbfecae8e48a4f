import { expect, it } from 'vitest';
import { isDatabaseAddress, withoutPassword } from '../../src/values/addresses.ts';

it.each([
  ['postgres://ada:secret@db/reports', 'postgres://ada@db/reports'],
  ['postgres://ada@db/reports', 'postgres://ada@db/reports'],
  ['postgres://db:5432/reports?sslmode=require', 'postgres://db:5432/reports?sslmode=require'],
  ['postgres://ada@[::1]:5432/reports', 'postgres://ada@[::1]:5432/reports'],
  // Should have been encoded, and was not.
  ['postgres://ada:se@c/r:et@db/reports', 'postgres://ada@db/reports'],
  ['postgres://ada:12/se?c#ret@db/reports', 'postgres://ada@db/reports'],
  ['postgres://:secret@db/reports', 'postgres://@db/reports'],
  ['postgresql://db/reports?user=ada&password=secret&schema=a', 'postgresql://db/reports?user=ada&schema=a'],
  ['postgresql://db/reports?password=secret', 'postgresql://db/reports'],
])('svc shows %s without its password', (address, shown) => {
  expect(isDatabaseAddress(address)).toBe(true);
  expect(withoutPassword(address)).toBe(shown);
});

it('a file or a web address does not count as the address of a database', () => {
  for (const path of ['postgres.sqlite', './postgres:/x', 'C:\\postgres', 'https://db/x']) expect(isDatabaseAddress(path)).toBe(false);
});
