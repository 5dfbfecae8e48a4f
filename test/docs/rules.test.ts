import { expect, test } from 'vitest';
import { checkRules } from '../../scripts/rules.ts';

// Until every rule that obliges a client has a test that runs svc, that alone is not asked for.
test('every rule of the service has a test of the sandbox or a reason for none, and no test names another', () => {
  expect(checkRules().faults.filter((fault) => !fault.includes('obliges a client'))).toEqual([]);
});
