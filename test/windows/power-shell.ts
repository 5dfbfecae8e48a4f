import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The used part of a syntax node. */
interface Node {
  readonly isError: boolean;
  readonly isMissing: boolean;
  readonly hasError: boolean;
  readonly text: string;
  readonly children: readonly Node[];
}

/**
 * Returns the syntax errors of a PowerShell text, by a grammar of PowerShell. No registry of this project has PowerShell itself. The test
 * downloads both packages only for this purpose.
 */
export async function powerShellMistakes(text: string): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-power-shell-'));
  try {
    const packages = ['web-tree-sitter@0.26', 'tree-sitter-powershell@0.26'];
    execFileSync('npm', ['install', '--silent', '--no-save', '--ignore-scripts', '--prefix', directory, ...packages], { cwd: directory });
    const { Language, Parser } = createRequire(join(directory, 'package.json'))('web-tree-sitter');
    await Parser.init();
    const parser = new Parser();
    parser.setLanguage(await Language.load(join(directory, 'node_modules/tree-sitter-powershell/tree-sitter-powershell.wasm')));
    const mistakes = (node: Node): readonly string[] =>
      node.isError || node.isMissing ? [node.text] : node.hasError ? node.children.flatMap(mistakes) : [];
    return mistakes(parser.parse(text).rootNode);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
