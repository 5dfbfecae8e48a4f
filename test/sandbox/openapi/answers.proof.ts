import { expect, test } from 'vitest';
import { sandbox } from '../support.ts';
import { runAll } from './run.ts';

test('every answer is as the document says, and nothing that it describes is refused', async () => {
  const service = await sandbox({ limits: 'off', switches: { furlough: true } });
  const { requests, faults, untried } = await runAll(service);
  expect(faults).toEqual([]);
  expect(untried).toEqual([]);
  expect(requests).toBeGreaterThan(1000);
});
