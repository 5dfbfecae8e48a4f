import { expect, test } from 'vitest';
import { checkRules } from '../../scripts/rules.ts';

test('every rule of the service has a test that names it or a reason for none, and no test names another', () => {
  expect(checkRules().faults).toEqual([]);
});
