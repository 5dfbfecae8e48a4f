import { expect, it, onTestFinished } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { json } from '../support/http-server.ts';
import { startRecording } from '../support/recording.ts';
import { visit } from '../support/visit.ts';
import { signInAt } from './support.ts';

// Looking whether a day is free is advice: it neither stops an entry nor holds it up.

const WORDS = ['worklogs', 'add', '30m', 'Review', '--no-context'];

it('svc worklogs add logs the entry when its check takes longer than two seconds', async () => {
  const here = await startRecording();
  onTestFinished(() => here.remove());
  await here.svc(['me']);
  here.sent();
  // No GET is ever answered; the clock says at once that two seconds are over.
  here.server.fallback((request, response, socket) => {
    if (request.method !== 'GET') json(201, { id: 31, minutes: 30 })(request, response, socket);
  });
  const { code, stdout, stderr } = await here.svc(WORDS, { hurried: true });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ id: 31, minutes: 30 });
  expect(stderr).toContain('svc could not check whether the day is full or free: The service took longer than 2 seconds.');
  expect(here.sent().filter((line) => line.startsWith('POST'))).toEqual(['POST /worklogs']);
});

it.each([
  ['are refused', { status: 400 }],
  ['are not implemented', { status: 501 }],
  ['are not JSON', { garbage: true }],
] as const)('svc worklogs add logs the entry when the lists for its check %s', async (_, fault) => {
  const here = await signInAt('2026-06-05T10:00:00Z');
  onTestFinished(() => here.remove());
  here.sandbox.setFaults(['/worklogs', '/absences', '/holidays'].map((path) => ({ method: 'GET', path, times: 99, ...fault })));
  const { code, stderr } = await here.svc(WORDS);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('svc could not check whether the day is full or free: ');
  expect(here.sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it('Ctrl-C during the check ends the command, and svc logs nothing', async () => {
  const here = await startRecording();
  onTestFinished(() => here.remove());
  await here.svc(['me']);
  here.sent();
  const stop = new AbortController();
  here.server.fallback((request, response, socket) => {
    if (request.method === 'GET') stop.abort(new InterruptedError('Interrupted.'));
    else json(201, { id: 31 })(request, response, socket);
  });
  const { code } = await here.svc(WORDS, { signal: stop.signal });
  expect(code).toBe(130);
  expect(here.sent().filter((line) => line.startsWith('POST'))).toEqual([]);
});

it('svc worklogs add prints no notice of a retry by its check after the command failed', async () => {
  const here = await startRecording();
  onTestFinished(() => here.remove());
  await here.svc(['me']);
  const twins = { data: [1, 2].map((id) => ({ id, name: 'Twin' })), meta: { page: {} }, links: { next: null } };
  // Only the projects are answered.
  here.server.fallback((request, response, socket) => {
    if (request.path.endsWith('/projects')) json(200, twins)(request, response, socket);
  });
  const told: string[] = [];
  const words = ['worklogs', 'add', '30m', 'project:Twim', 'Review', '--no-context'];
  const { code, stderr } = await here.svc(words, { answers: [], onStderr: (text) => void told.push(text) });
  expect(code).toBe(2);
  expect(stderr).toContain('Twin');
  // What would try again says so at once.
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(told.join('')).not.toContain('tries again');
});

it('svc worklogs add checks the day after the user signed in again, which took longer than two seconds', async () => {
  const here = await signInAt('2026-06-05T10:00:00Z');
  onTestFinished(() => here.remove());
  await here.svc(['worklogs', 'add', '9h', 'Move', '--no-context', '-d', '2026-06-04', '--no-check']);
  here.sandbox.revokeAll();
  here.sandbox.deleteRegistrations();
  const opened = Promise.withResolvers<void>();
  const firstWaitOver = Promise.withResolvers<void>();
  let waits = 0;
  const { code, stderr } = await here.svc(['worklogs', 'add', '1h', 'Review', '--no-context', '-d', '2026-06-04'], {
    answers: [true],
    async browser(url) {
      opened.resolve();
      await firstWaitOver.promise;
      await visit(url);
    },
    around: (deps) => ({
      ...deps,
      clock: {
        ...deps.clock,
        async sleep(ms, signal) {
          if (ms !== 2_000 || waits++ > 0) return deps.clock.sleep(ms, signal);
          await opened.promise;
          firstWaitOver.resolve();
        },
      },
    }),
  });
  expect([code, here.sandbox.events.signIns], stderr).toEqual([0, 2]);
  expect(stderr).toMatch(/Careful: .*full[\s\S]*Log the entry anyway\?/);
});
