import { expect, test } from 'vitest';
import { checkRules } from '../../scripts/rules.ts';

test('each rule of the service has a test of svc and a test of the sandbox, or a reason for none', () => {
  expect(checkRules().faults).toEqual([]);
});
