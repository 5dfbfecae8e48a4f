import { defineCommand } from '../cli/spec.ts';
import type { Needs } from '../session/context.ts';
import { printText } from '../session/print.ts';

export const version = defineCommand({
  showsGlobals: [],
  examples: [{ args: 'version', does: 'Print the version, as svc --version does' }],
  run: (context: Needs<'stdio' | 'system'>) => printText(context, `svc ${context.system.version}\n`),
});
