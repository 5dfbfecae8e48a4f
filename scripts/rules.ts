import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Updates the last two columns of docs/service-rules.md, which name the tests of each rule. A test names its rules in its title or a table
 * row: `(rule 8.12)`, `(rules 8.12, 8.14 to 8.17 and 9.1)`. Tests in test/sandbox/ fill the last column. All other tests run svc and fill
 * the column before. If no test covers a rule, the column has a handwritten reason:
 *
 * - `obliges no client: …` if svc would not differ under another rule;
 * - `obliges no service: …` if the rule only concerns the client;
 * - `no behaviour: …` in the column of svc, if neither can be tested.
 *
 *     node scripts/rules.ts            writes the columns
 *     node scripts/rules.ts --check    prints errors in the columns, and exits with 1 if there are any
 */
const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs', 'service-rules.md');
const NONE = '—';
const ROW = /^\| (\d+\.\d+) \| (.*) \| ([^|]*) \| ([^|]*) \|$/;

export interface RuleReport {
  /** The updated page. */
  readonly page: string;
  /** One line per error. Empty if every rule has a test and every cited rule exists. */
  readonly faults: readonly string[];
}

/** Compares docs/service-rules.md with the tests. */
export function checkRules(): RuleReport {
  const old = readFileSync(PAGE, 'utf8');
  const faults: string[] = [];
  const known = new Set<string>();
  const cited = citations(faults);
  let heading = '';
  const page = old
    .split('\n')
    .map((line) => {
      if (line.startsWith('| rule |')) heading = line;
      const [, number, rest, svc = '', sandbox = ''] = ROW.exec(line) ?? [];
      if (number === undefined || rest === undefined) return line;
      known.add(number);
      if (line.split('|').length !== heading.split('|').length) {
        faults.push(`Rule ${number} does not have all columns of its table.`);
        return line;
      }
      const files = [...(cited.get(number) ?? [])].sort();
      const ofSvc = column(
        files.filter((file) => !isOfSandbox(file)),
        svc,
        ['obliges no client: ', 'no behaviour: '],
      );
      const ofSandbox = column(files.filter(isOfSandbox), sandbox, ['obliges no service: ']);
      if (ofSvc === NONE) faults.push(`Rule ${number} obliges a client, and no test that runs svc names it.`);
      if (ofSandbox === NONE && !ofSvc.startsWith('no behaviour: ')) {
        faults.push(`Rule ${number} has neither a test of the sandbox nor a reason for none.`);
      }
      return `| ${number} | ${rest} | ${ofSvc} | ${ofSandbox} |`;
    })
    .join('\n');
  for (const [number, files] of cited) {
    if (!known.has(number)) faults.push(`There is no rule ${number}; ${[...files].join(', ')} names it.`);
  }
  if (page !== old) faults.push('The last columns of docs/service-rules.md are out of date. Run: node scripts/rules.ts');
  return { page, faults };
}

function isOfSandbox(file: string): boolean {
  return file.startsWith('sandbox/');
}

/** Returns the content of a column: the test files, or the handwritten reason if it is of an allowed kind. */
function column(files: readonly string[], written: string, reasons: readonly string[]): string {
  if (files.length > 0) return files.map((file) => `\`${file}\``).join(', ');
  return reasons.some((reason) => written.startsWith(reason)) ? written : NONE;
}

/** Returns the test files that name each rule, relative to `test/`. */
function citations(faults: string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const tests = join(ROOT, 'test');
  for (const path of readdirSync(tests, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:test|proof)\.ts$/.test(path)) continue;
    const file = relative(tests, join(tests, path)).replaceAll('\\', '/');
    for (const list of listsIn(readFileSync(join(tests, path), 'utf8'))) {
      const numbers = numbersOf(list);
      if (numbers === undefined) faults.push(`${file} names rules in an unknown form: (${list})`);
      for (const number of numbers ?? []) found.set(number, (found.get(number) ?? new Set()).add(file));
    }
  }
  return found;
}

/** Yields the content of `(rule …)` in the string literals of a file. Ignores comments, which do not count as tests. */
function* listsIn(source: string): Generator<string> {
  for (const line of source.split('\n')) {
    if (/^\s*(\/\/|\/?\*)/.test(line)) continue;
    const code = line.replace(/\s\/\/\s.*$/, '');
    for (const [, , literal] of code.matchAll(/(?<=^|[\s([{,:=?])(['"`])((?:\\.|(?!\1).)*)\1/g)) {
      for (const [, list] of (literal ?? '').matchAll(/\(rules? ([^)]*)\)/g)) if (list !== undefined) yield list;
    }
  }
}

/** Converts a list such as `8.12, 8.14 to 8.17 and 9.1` to single rule numbers. Returns undefined for any other form. */
function numbersOf(list: string): string[] | undefined {
  const numbers: string[] = [];
  for (const part of list.split(/, | and /)) {
    const [, chapter, first, , lastChapter, last] = /^(\d+)\.(\d+)( to (\d+)\.(\d+))?$/.exec(part) ?? [];
    if (chapter === undefined || first === undefined) return undefined;
    if (lastChapter !== undefined && lastChapter !== chapter) return undefined;
    for (let number = Number(first); number <= Number(last ?? first); number++) numbers.push(`${chapter}.${number}`);
  }
  return numbers;
}

if (process.argv[1] === import.meta.filename) {
  const check = process.argv.includes('--check');
  if (!check) writeFileSync(PAGE, checkRules().page);
  const { faults } = checkRules();
  for (const fault of faults) console.error(fault);
  if (check && faults.length > 0) process.exitCode = 1;
}
