import { expect, test } from 'vitest';
import { checkRules } from '../../scripts/rules.ts';

test('every rule of the service is held by a test of svc and one of the sandbox, or has a reason for none; no test names another', () => {
  expect(checkRules().faults).toEqual([]);
});
