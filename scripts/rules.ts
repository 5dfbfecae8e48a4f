import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Keeps the last two columns of docs/service-rules.md. A test names the rules that it holds in its title, or in a row of
 * its table: `(rule 8.12)`, `(rules 8.12, 8.14 to 8.17 and 9.1)`. Tests below test/sandbox/ ask the sandbox, and fill the
 * last column; all others run svc, and fill the one before it. A column that no test fills says why, by hand:
 *
 * - `obliges no client: …`, where svc would be no different if the rule were another;
 * - `obliges no service: …`, where the rule is about the client alone;
 * - `no behaviour: …`, in the column of svc, where nothing can be tested of either.
 *
 *     node scripts/rules.ts            writes the columns
 *     node scripts/rules.ts --check    says what is wrong with them, and exits 1 if anything is
 */
const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs', 'service-rules.md');
const NONE = '—';
const ROW = /^\| (\d+\.\d+) \| (.*) \| ([^|]*) \| ([^|]*) \|$/;

export interface RuleReport {
  /** The page as it should be. */
  readonly page: string;
  /** What is wrong, a line each; empty when every rule is held and every number is a rule's. */
  readonly faults: readonly string[];
}

/** Compares the page with the tests. */
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
        faults.push(`Rule ${number} has not as many columns as its table.`);
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
  if (page !== old) faults.push('The last columns of docs/service-rules.md are not what the tests say: node scripts/rules.ts');
  return { page, faults };
}

function isOfSandbox(file: string): boolean {
  return file.startsWith('sandbox/');
}

/** The files that hold a rule, or what was written there by hand, if it is a reason of one of these kinds. */
function column(files: readonly string[], written: string, reasons: readonly string[]): string {
  if (files.length > 0) return files.map((file) => `\`${file}\``).join(', ');
  return reasons.some((reason) => written.startsWith(reason)) ? written : NONE;
}

/** For each rule the files whose tests name it, below `test/`. */
function citations(faults: string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const tests = join(ROOT, 'test');
  for (const path of readdirSync(tests, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:test|proof)\.ts$/.test(path)) continue;
    const file = relative(tests, join(tests, path)).replaceAll('\\', '/');
    for (const list of listsIn(readFileSync(join(tests, path), 'utf8'))) {
      const numbers = numbersOf(list);
      if (numbers === undefined) faults.push(`${file} names rules in a way that is not understood: (${list})`);
      for (const number of numbers ?? []) found.set(number, (found.get(number) ?? new Set()).add(file));
    }
  }
  return found;
}

/** What stands in `(rule …)` within the string literals of a file; comments cite rules too, and hold none. */
function* listsIn(source: string): Generator<string> {
  for (const line of source.split('\n')) {
    if (/^\s*(\/\/|\/?\*)/.test(line)) continue;
    const code = line.replace(/\s\/\/\s.*$/, '');
    for (const [, , literal] of code.matchAll(/(?<=^|[\s([{,:=?])(['"`])((?:\\.|(?!\1).)*)\1/g)) {
      for (const [, list] of (literal ?? '').matchAll(/\(rules? ([^)]*)\)/g)) if (list !== undefined) yield list;
    }
  }
}

/** `8.12, 8.14 to 8.17 and 9.1` as single numbers; undefined when it is written in another way. */
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
