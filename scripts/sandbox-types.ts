/**
 * Writes the types of `svc-cli/sandbox` (src/sandbox/public-types.d.cts): the interfaces that `startSandbox` takes and gives, with what they
 * refer to, as they stand in the source, and the interpretations. test/sandbox/importable.test.ts has the compiler compare them with the source.
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
 * Starts the whole service on 127.0.0.1, in this process.
 *
 * @throws RangeError when the data cannot be used; Node's error when the port is taken or the data file cannot be written.
 */
export declare function startSandbox(options?: SandboxOptions): Promise<Sandbox>;

/** Reads a fault as it is typed after \`--fault\`: \`GET /worklogs 503 x2\`. @throws RangeError that says what is not understood. */
export declare function parseFault(text: string): Fault;

/** Reads interpretations from strings: \`{ wrapSingleRecords: 'false' }\`. @throws RangeError that lists the options, or the values of one. */
export declare function readInterpretations(given: Readonly<Record<string, unknown>>): Partial<Interpretations>;
`;

/** Types that follow from values of the source, which a declaration cannot. */
const WRITTEN: Readonly<Record<string, () => string>> = {
  Interpretations: () =>
    `/** The questions that the service's documentation leaves open, each with its answers: see docs/guides/sandbox.md. */\nexport interface Interpretations {\n${Object.entries(
      INTERPRETATIONS,
    )
      .map(([name, values]) => `  ${name}: ${interpretationType(values)};\n`)
      .join('')}}\n`,
  AbilityClass: () =>
    `/** What a token may do; each includes the ones before it. */\nexport type AbilityClass = 'read' | 'write' | 'destroy';\n`,
};

function interpretationType(values: readonly (boolean | number | string)[]): string {
  // Any name of a problem type will do.
  if (values === INTERPRETATIONS.missingRecordType) return 'string';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  return values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
}

/** The file as it should be. */
export function sandboxTypes(): string {
  const found = new Map<string, string>();
  const start = join(SANDBOX, 'start.ts');
  for (const name of ['SandboxOptions', 'Sandbox', 'Fault', 'Interpretations']) gather(start, name, found);
  return [HEAD, ...found.values()].join('\n');
}

/** Adds the declaration of a name, as a file has it or imports it, and of all that it refers to. */
function gather(file: string, name: string, found: Map<string, string>): void {
  if (found.has(name)) return;
  const source = readFileSync(file, 'utf8');
  const written = WRITTEN[name]?.() ?? declarationIn(source, name);
  if (written === undefined) {
    const [, from] = new RegExp(`^(?:import|export)(?: type)? \\{[^}]*\\b${name}\\b[^}]*\\} from '(\\.[^']+)';`, 'm').exec(source) ?? [];
    // What is neither here nor imported is the language's own: Promise, Date.
    if (from !== undefined) gather(resolve(dirname(file), from), name, found);
    return;
  }
  found.set(name, written);
  const code = written.replace(/\/\*[\s\S]*?\*\/|'[^'\n]*'/g, '');
  for (const [other] of code.matchAll(/\b[A-Z]\w*/g)) gather(file, other, found);
}

/** An exported interface, which ends with a brace at the beginning of a line, or type, which ends with a semicolon; with its comment. */
function declarationIn(source: string, name: string): string | undefined {
  const comment = '(?:/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?';
  const declared = `export (?:interface ${name}\\b[^{]*\\{\\n[\\s\\S]*?^\\}\\n|type ${name}\\b[^;]*;\\n)`;
  return new RegExp(`^${comment}${declared}`, 'm').exec(source)?.[0];
}

if (process.argv[1] === import.meta.filename) writeFileSync(PATH, sandboxTypes());
