import { defineCommand } from '../cli/spec.ts';
import type { Needs } from '../session/context.ts';
import { printText } from '../session/print.ts';

/** `svc version`: what `svc --version` prints. */
export const version = defineCommand({
  name: 'version',
  showsGlobals: [],
  summary: 'Which svc this is',
  examples: [{ args: 'version', does: 'As svc --version' }],
  run: (context: Needs<'stdio' | 'system'>) => printText(context, `svc ${context.system.version}\n`),
});
