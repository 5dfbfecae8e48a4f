import { parseAst } from 'rolldown/parseAst';
import { type ESTree, Visitor } from 'rolldown/utils';

/** A small change to a source file. */
export interface Mutant {
  /** The path of the file, as it was given. */
  readonly file: string;
  /** The number of the line, from 1. */
  readonly line: number;
  /** The text of the line without its indent. */
  readonly text: string;
  /** A description of the change on one line, such as `count > 0 → count >= 0`. */
  readonly change: string;
  /** The position of the change in the source, in characters. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const OTHER_OPERATOR: ReadonlyMap<string, string> = bothWays([
  ['===', '!=='],
  ['<', '<='],
  ['>', '>='],
  ['+', '-'],
  ['*', '/'],
  ['+=', '-='],
  ['++', '--'],
]);
const OTHER_METHOD: ReadonlyMap<string, string> = bothWays([
  ['some', 'every'],
  ['min', 'max'],
  ['startsWith', 'endsWith'],
]);
const EQUALITY = /^[!=]==$/;

const BINDS_LOOSELY: ReadonlySet<string> = new Set([
  'ArrowFunctionExpression',
  'AssignmentExpression',
  'BinaryExpression',
  'ConditionalExpression',
  'LogicalExpression',
  'ObjectExpression',
]);

type Place = Pick<ESTree.Node, 'start' | 'end'>;

/**
 * Returns all small changes to a TypeScript source, in order. A change is another operator or bound, a negated or fixed condition, or a
 * missing statement. Types and comments stay unchanged.
 */
export function mutantsOf(file: string, source: string): Mutant[] {
  const found: Mutant[] = [];
  let withinType = 0;
  const textOf = ({ start, end }: Place) => source.slice(start, end);
  // The position of a node does not include its parentheses, so a replacement may need new ones.
  const whole = (node: ESTree.Node) => (BINDS_LOOSELY.has(node.type) ? `(${textOf(node)})` : textOf(node));
  const add = ({ start, end }: Place, replacement: string) => {
    if (withinType > 0) return;
    const before = source.slice(0, start);
    const lineStart = before.lastIndexOf('\n') + 1;
    const [text = ''] = source.slice(lineStart).split('\n', 1);
    const change = `${shown(source.slice(start, end))} → ${shown(replacement)}`;
    found.push({ file, line: before.split('\n').length, text: text.trim(), change, start, end, replacement });
  };
  const swap = (node: ESTree.BinaryExpression | ESTree.AssignmentExpression) => {
    const other = OTHER_OPERATOR.get(node.operator);
    if (other !== undefined) add(node, `${whole(node.left)} ${other} ${whole(node.right)}`);
  };
  const fix = (test: ESTree.Expression, ...values: string[]) => {
    for (const value of values) add(test, value);
    if (!turnsRound(test)) add(test, `!(${textOf(test)})`);
  };
  const emptied = (node: ESTree.Node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') add(node, node.value === '' ? "'mutated'" : "''");
  };

  new Visitor({
    TSLiteralType: () => {
      withinType += 1;
    },
    'TSLiteralType:exit': () => {
      withinType -= 1;
    },
    BinaryExpression(node) {
      swap(node);
      if (!EQUALITY.test(node.operator)) return;
      emptied(node.left);
      emptied(node.right);
    },
    AssignmentExpression: (node) => swap(node),
    UpdateExpression(node) {
      const other = OTHER_OPERATOR.get(node.operator) ?? '';
      add(node, node.prefix ? other + textOf(node.argument) : textOf(node.argument) + other);
    },
    LogicalExpression(node) {
      const [left, right] = [whole(node.left), whole(node.right)];
      if (node.operator === '??') {
        add(node, left);
        add(node, right);
      } else add(node, `(${left} ${node.operator === '&&' ? '||' : '&&'} ${right})`);
    },
    IfStatement: (node) => fix(node.test, 'true', 'false'),
    // With a condition that is always true, the loop would never end, which proves nothing about the tests.
    WhileStatement: (node) => fix(node.test, 'false'),
    ConditionalExpression(node) {
      add(node, whole(node.consequent));
      add(node, whole(node.alternate));
    },
    UnaryExpression(node) {
      if (node.operator === '!' || node.operator === '-') add(node, whole(node.argument));
    },
    Literal(node) {
      if (typeof node.value === 'boolean') add(node, String(!node.value));
      if (typeof node.value === 'number') for (const by of [1, -1]) add(node, String(node.value + by));
      if (typeof node.value === 'bigint') for (const by of [1n, -1n]) add(node, `${node.value + by}n`);
    },
    SwitchCase(node) {
      if (node.test !== null) emptied(node.test);
    },
    MemberExpression(node) {
      const other = node.computed ? undefined : OTHER_METHOD.get(textOf(node.property));
      if (other !== undefined) add(node.property, other);
    },
    ThrowStatement: (node) => add(node, ';'),
    ReturnStatement: (node) => add(node, ';'),
    ExpressionStatement(node) {
      if (node.expression.type === 'AwaitExpression' || node.expression.type === 'CallExpression') add(node, ';');
    },
  }).visit(parseAst(source, { lang: 'ts' }, file));
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** Returns the source with a change applied. */
export function mutate(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

function bothWays(pairs: readonly (readonly [string, string])[]): Map<string, string> {
  return new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));
}

/** Returns true if another change already negates the condition. */
function turnsRound(test: ESTree.Expression): boolean {
  return (test.type === 'UnaryExpression' && test.operator === '!') || (test.type === 'BinaryExpression' && EQUALITY.test(test.operator));
}

/** Returns a text on one line. Long texts are shortened in the middle. */
function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= 80 ? line : `${line.slice(0, 50)} … ${line.slice(-27)}`;
}
