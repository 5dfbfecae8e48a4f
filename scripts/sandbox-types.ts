/**
 * Writes the types of `svc-cli/sandbox` to src/sandbox/public-types.d.cts: the public interfaces of `startSandbox` and all types that they
 * refer to. In test/sandbox/importable.test.ts, the compiler compares these types with the source.
 *
 *     node scripts/sandbox-types.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { INTERPRETATIONS } from '../src/sandbox/interpretations.ts';

const SANDBOX = join(import.meta.dirname, '..', 'src', 'sandbox');
const PATH = join(SANDBOX, 'public-types.d.cts');

const HEAD = `// Written by scripts/sandbox-types.ts from the source of the sandbox; not to be edited.

/**
 * Starts a sandbox of the whole service on 127.0.0.1, in this process.
 *
 * @throws RangeError if the data can’t be used, or for an unknown switch; Node’s error if the port is taken, or if a file of the data can’t
 * be read or written.
 */
export declare function startSandbox(options?: SandboxOptions): Promise<Sandbox>;

/** Reads a fault in the form of the flag \`--fault\`: \`GET /worklogs 503 x2\`. @throws RangeError that names the fault and the reason. */
export declare function parseFault(text: string): Fault;

/**
 * Reads option values from strings: \`{ wrapSingleRecords: 'false' }\`.
 * @throws RangeError that lists the options, or the values of one option.
 */
export declare function readInterpretations(given: Readonly<Record<string, unknown>>): Partial<Interpretations>;
`;

/** Types that depend on values of the source, so that the script writes them itself. */
const WRITTEN: Readonly<Record<string, () => string>> = {
  Interpretations: () =>
    `/** The options for questions that the service’s documentation leaves open, with their values; see docs/guides/sandbox.md. */\nexport interface Interpretations {\n${Object.entries(
      INTERPRETATIONS,
    )
      .map(([name, values]) => `  ${name}: ${interpretationType(values)};\n`)
      .join('')}}\n`,
  AbilityClass: () =>
    `/** The classes of abilities. Each class includes the classes before it. */\nexport type AbilityClass = 'read' | 'write' | 'destroy';\n`,
};

function interpretationType(values: readonly (boolean | number | string)[]): string {
  // Any name of a problem type is allowed.
  if (values === INTERPRETATIONS.missingRecordType) return 'string';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  return values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
}

/** Returns the content of the types file. */
export function sandboxTypes(): string {
  const found = new Map<string, string>();
  const start = join(SANDBOX, 'start.ts');
  for (const name of ['SandboxOptions', 'Sandbox', 'Fault', 'Interpretations']) gather(start, name, found);
  return [HEAD, ...found.values()].join('\n');
}

/** Adds the declaration of a name and of all names in it. The declaration is in the file or in one of its imports. */
function gather(file: string, name: string, found: Map<string, string>): void {
  if (found.has(name)) return;
  const source = readFileSync(file, 'utf8');
  const written = WRITTEN[name]?.() ?? declarationIn(source, name);
  if (written === undefined) {
    const [, from] = new RegExp(`^(?:import|export)(?: type)? \\{[^}]*\\b${name}\\b[^}]*\\} from '(\\.[^']+)';`, 'm').exec(source) ?? [];
    // A name that is neither declared nor imported is a type of the language, such as Promise or Date.
    if (from !== undefined) gather(resolve(dirname(file), from), name, found);
    return;
  }
  found.set(name, written);
  const code = written.replace(/\/\*[\s\S]*?\*\/|'[^'\n]*'/g, '');
  for (const [other] of code.matchAll(/\b[A-Z]\w*/g)) gather(file, other, found);
}

/**
 * Returns an exported interface or type with its comment. An interface ends with a brace at the start of a line, and a type with a
 * semicolon.
 */
function declarationIn(source: string, name: string): string | undefined {
  const comment = '(?:/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?';
  const declared = `export (?:interface ${name}\\b[^{]*\\{\\n[\\s\\S]*?^\\}\\n|type ${name}\\b[^;]*;\\n)`;
  return new RegExp(`^${comment}${declared}`, 'm').exec(source)?.[0];
}

if (process.argv[1] === import.meta.filename) writeFileSync(PATH, sandboxTypes());
