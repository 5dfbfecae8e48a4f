import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';

const directory = new URL('../../.github/workflows/', import.meta.url);

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly needs?: string;
        readonly permissions?: Readonly<Record<string, string>>;
        readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
      }
    >
  >;
}

/** What writes, and why it may. */
const MAY_WRITE = { publish: ['id-token'] };

describe.each(readdirSync(directory))('the workflow %s', (name) => {
  const text = readFileSync(new URL(name, directory), 'utf8');
  const workflow = load(text) as Workflow;

  it('names every action by the digest of a commit, and its version for readers', () => {
    const uses = [...text.matchAll(/^.*\buses:\s*(.*)$/gm)].map(([, action = '']) => action);
    expect(uses.length).toBeGreaterThan(0);
    for (const action of uses) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('has only read permissions, except to publish', () => {
    const granted = [
      ['all', workflow.permissions] as const,
      ...Object.entries(workflow.jobs).map(([job, { permissions = {} }]) => [job, permissions] as const),
    ];
    for (const [job, permissions] of granted) {
      const written = Object.entries(permissions).filter(([, access]) => access !== 'read' && access !== 'none');
      expect(written.map(([right]) => right)).toEqual(MAY_WRITE[job as keyof typeof MAY_WRITE] ?? []);
    }
  });

  it('gives an identity only to jobs that run only git and npm publish', () => {
    for (const { permissions = {}, needs, steps } of Object.values(workflow.jobs)) {
      if (permissions['id-token'] !== 'write') continue;
      expect(workflow.jobs[needs ?? '']?.permissions).toEqual({ contents: 'read' });
      expect(steps.flatMap(({ run = [] }) => run)).toEqual([
        'git merge-base --is-ancestor "$GITHUB_SHA" origin/main',
        'npm publish ./svc-cli-*.tgz --provenance --access public --ignore-scripts',
      ]);
      // Each of these runs its own code alone.
      const actions = steps.flatMap(({ uses }) => uses?.split('@', 1) ?? []);
      expect(actions).toEqual(['checkout', 'setup-node', 'download-artifact'].map((action) => `actions/${action}`));
    }
  });

  it('puts no GitHub expression into a command line', () => {
    const lines = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run = '' }) => run));
    for (const line of lines) expect(line).not.toContain('${{');
  });
});
