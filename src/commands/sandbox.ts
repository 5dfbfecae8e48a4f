import { parseInteger } from '../values/integer.ts';
import { defineCommand, parsed, text, toggle } from './define.ts';
import { printText } from './print.ts';

/** `svc sandbox`: the whole service on 127.0.0.1. */
export const sandbox = defineCommand({
  name: 'sandbox',
  showsGlobals: [],
  summary: 'Run the service on this machine, to try things on',
  description:
    'A complete copy of the service with made-up data, on 127.0.0.1, until you press Ctrl-C. What you change is gone when it stops.',
  options: {
    port: parsed('--port <n>', 'The port to listen on; a free one if not given', (value) => parseInteger(value, { min: 0, max: 65535 })),
    seed: parsed('--seed <n>', 'Another organisation; the same number makes the same one', parseInteger),
    approve: toggle('--approve', 'Approve every sign-in without a question, for scripts'),
    limits: text('--limits <real|off>', 'Keep to the service’s rate limits', { choices: ['real', 'off'] }),
  },
  examples: [
    { args: 'sandbox --port 4010', does: 'Start it; then: svc login 127.0.0.1:4010' },
    { args: 'sandbox --approve --limits off', does: 'For test scripts' },
  ],
  async run(context, { options }) {
    const { startSandbox } = await import('../sandbox/start.ts');
    const server = await startSandbox({
      ...(options.port !== undefined && { port: options.port }),
      ...(options.seed !== undefined && { seed: options.seed }),
      ...(options.approve && { approve: true }),
      ...(options.limits !== undefined && { limits: options.limits as 'real' | 'off' }),
    });
    try {
      const tokens = server.tokens.map(({ name, value, abilities }) => `  ${value}  ${name} (${abilities.join(', ')})`);
      await printText(
        context,
        [
          `The sandbox runs at ${server.origin}`,
          '',
          `Sign in:  svc login ${new URL(server.origin).host}`,
          '',
          'Personal access tokens, for svc token set:',
          ...tokens,
          '',
          'Stop it with Ctrl-C.',
          '',
        ].join('\n'),
      );
      await new Promise<void>((resolve) => {
        if (context.signal.aborted) resolve();
        context.signal.addEventListener('abort', () => resolve(), { once: true });
      });
    } finally {
      await server.close();
    }
  },
});
