import { FORMATS, type OutputFormat, type Presentation } from '../output/format.ts';
import { allowsColor } from '../output/styles.ts';
import type { Needs } from './context.ts';

export type Presenting = 'accessible' | 'env' | 'globals' | 'settings' | 'stdio';

/** Decides the output format: `--output`, otherwise the setting, otherwise a table at a terminal and JSON elsewhere. */
export async function decidePresentation(context: Needs<Presenting>): Promise<Presentation> {
  const { output, fields, jq } = context.globals;
  const { stdout } = context.stdio;
  const named = (output ?? (await context.settings()).output) as OutputFormat | undefined;
  const format = named ?? (stdout.isTTY ? 'table' : 'json');
  const isHuman = FORMATS[format].reader === 'person' && jq === undefined;
  return {
    format,
    reader: isHuman && fields === undefined ? 'person' : 'program',
    isScreen: isHuman && stdout.isTTY,
    isDefaultFormat: stdout.isTTY && (named ?? fields ?? jq) === undefined,
    isSpoken: await context.accessible(),
    color: wantsColor(context),
    width: stdout.columns,
  };
}

/** Returns a context with another output format, which replaces the format of `--output`. */
export function presentingAs<Part extends Needs<Presenting | 'presentation'>>(context: Part, output: OutputFormat): Part {
  const globals = { ...context.globals, output };
  return { ...context, globals, presentation: () => decidePresentation({ ...context, globals }) };
}

export function wantsColor({ stdio, env, globals }: Needs<'env' | 'globals' | 'stdio'>): boolean {
  return allowsColor(stdio.stdout, globals.noColor === true, env);
}
