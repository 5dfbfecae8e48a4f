import { expect, test } from 'vitest';
import { checkRules } from '../../scripts/rules.ts';

test('each rule of the service has a test of svc and of the sandbox, or a reason', () => {
  expect(checkRules().faults).toEqual([]);
});
