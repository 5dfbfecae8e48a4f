import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Recording, startRecording } from '../support/recording.ts';

let recording: Recording;
beforeEach(async () => {
  recording = await startRecording();
});
afterEach(() => recording.remove());

it.each([
  ['[{"name": "New year"},', 'Line 1 is not JSON.'],
  ['[{"name": "New year"}, 7]', 'Row 2 is not an object.'],
  ['{"name": "New year"}\n\n{"name":', 'A line of the file has no JSON object. svc sent nothing.', 'line 3: not JSON.'],
  [
    '{"name":\n{"name": "New year"}\n7',
    '2 lines of the file have no JSON object. svc sent nothing.',
    'line 1: not JSON.',
    'line 3: not a JSON object.',
  ],
  [
    'name,date\nNew year,2026-01-01\nEaster\nMay,2026-05-01,free\n',
    '2 lines of the file have a different number of cells than the header. svc sent nothing.',
    'line 3: 1 cell, and the header has 2.',
    'line 4: 3 cells, and the header has 2.',
  ],
])('svc import refuses the file %j, names the bad lines, and sends nothing', async (stdin, message, ...lines) => {
  const { code, stderr } = await recording.svc(['holidays', 'import', '-'], { stdin });
  expect([code, stderr.split('\n')[0]]).toEqual([2, `svc: ${message}`]);
  for (const line of lines) expect(stderr).toContain(line);
  expect(recording.sent()).toEqual([]);
});
