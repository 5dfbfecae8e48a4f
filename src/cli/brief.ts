import type { ArgSpec } from './spec.ts';
import type { PlacedCommand } from './tree.ts';

/** A command in a line: what is typed, and what it does. */
export interface BriefCommand {
  /** As it is typed, with its arguments: `svc worklogs get <id>...`. */
  readonly usage: string;
  readonly summary: string;
}

/** The line of a command; its flags are left to its help. */
export function briefOf({ path, spec }: PlacedCommand): BriefCommand {
  return { usage: ['svc', ...path, ...(spec.args ?? []).map(argumentText)].join(' '), summary: spec.summary };
}

function argumentText({ name, optional, variadic, choices }: ArgSpec): string {
  const text = choices?.join('|') ?? name;
  return `${optional ? `[${text}]` : `<${text}>`}${variadic ? '...' : ''}`;
}
