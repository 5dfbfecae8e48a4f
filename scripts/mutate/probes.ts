import { parseAst } from 'rolldown/parseAst';
import { type ESTree, Visitor } from 'rolldown/utils';
import type { Mutant } from './mutants.ts';

/** A part of a source that runs as a whole or not at all. */
interface Region {
  readonly start: number;
  readonly end: number;
  /** Returns the code to put before and after the part, so that it calls `tell` when it runs. */
  readonly around: (report: string) => readonly [string, string];
}

/** A source that calls `globalThis.svcReached(name)` whenever a region runs. */
export interface Probed {
  readonly text: string;
  /** The number of regions. */
  readonly size: number;
  /** Returns the name of the region that contains a change. Undefined if no region contains it. */
  regionOf(mutant: Pick<Mutant, 'start' | 'end'>): string | undefined;
}

const asStatement = (report: string) => [`${report};`, ''] as const;
const asBlock = (report: string) => [`{${report};`, '}'] as const;
const asExpression = (report: string) => [`(${report}, `, ')'] as const;

/** Adds a probe to every statement and every branch of an expression. */
export function probe(file: string, source: string): Probed {
  const regions = regionsOf(file, source);
  const name = (region: Region) => `${file}:${regions.indexOf(region)}`;
  const pieces = regions.flatMap((region) => {
    const [before, after] = region.around(`globalThis.svcReached?.(${JSON.stringify(name(region))})`);
    const length = region.end - region.start;
    // If several regions start at one place, the widest comes first. If several end at one place, the narrowest comes first.
    return [
      { at: region.start, opens: true, length, text: before },
      { at: region.end, opens: false, length, text: after },
    ];
  });
  pieces.sort(
    (one, other) => one.at - other.at || Number(one.opens) - Number(other.opens) || (one.length - other.length) * (one.opens ? -1 : 1),
  );
  let text = '';
  let at = 0;
  for (const piece of pieces) {
    text += source.slice(at, piece.at) + piece.text;
    at = piece.at;
  }
  return {
    text: text + source.slice(at),
    size: regions.length,
    regionOf({ start, end }) {
      const around = regions.filter((region) => region.start <= start && end <= region.end);
      const innermost = around.sort((one, other) => one.end - one.start - (other.end - other.start))[0];
      return innermost && name(innermost);
    },
  };
}

function regionsOf(file: string, source: string): Region[] {
  const found: Region[] = [];
  const add = ({ start, end }: ESTree.Node, around: Region['around']) => found.push({ start, end, around });
  const list = (statements: readonly ESTree.Node[], top = false) => {
    for (const statement of statements) {
      // A function can be called before its declaration, so its probe is inside the function.
      if (statement.type === 'ImportDeclaration' || (!top && statement.type === 'FunctionDeclaration')) continue;
      add(statement, asStatement);
    }
  };
  const single = (statement: ESTree.Node | null) => {
    if (statement !== null && statement.type !== 'BlockStatement') add(statement, asBlock);
  };

  new Visitor({
    Program: (node) => list(node.body, true),
    BlockStatement: (node) => list(node.body),
    SwitchCase: (node) => list(node.consequent),
    IfStatement(node) {
      single(node.consequent);
      single(node.alternate);
    },
    ForStatement: (node) => single(node.body),
    ForOfStatement: (node) => single(node.body),
    ForInStatement: (node) => single(node.body),
    WhileStatement: (node) => single(node.body),
    ArrowFunctionExpression(node) {
      if (node.body.type !== 'BlockStatement') add(node.body, asExpression);
    },
    ConditionalExpression(node) {
      add(node.consequent, asExpression);
      add(node.alternate, asExpression);
    },
    LogicalExpression: (node) => void add(node.right, asExpression),
  }).visit(parseAst(source, { lang: 'ts' }, file));
  return found;
}
