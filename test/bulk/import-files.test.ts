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
  ['{"name": "New year"}\n\n{"name":', 'Line 3 is not JSON.'],
])('refuses the file %j, and sends nothing', async (stdin, message) => {
  const { code, stderr } = await recording.svc(['holidays', 'import', '-'], { stdin });
  expect([code, stderr.split('\n')[0]]).toEqual([2, `svc: ${message}`]);
  expect(recording.sent()).toEqual([]);
});
