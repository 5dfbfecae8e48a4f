import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/start.ts';
import { sent } from '../support/sent.ts';
import { createMachine, type Result, type RunOptions } from '../support/svc.ts';

/** A machine without a sign-in, and a sandbox. A token in the environment identifies the user. */
export interface WithToken {
  readonly sandbox: Sandbox;
  readonly home: string;
  /** The host: `127.0.0.1:<port>`. */
  readonly host: string;
  /** Runs `svc <argv>` with a token that has all abilities. */
  svc(argv: readonly string[], options?: RunOptions): Promise<Result>;
  /** Runs `svc <argv>` with another token: the name of a token in the sandbox, or a secret. */
  as(token: string, argv: readonly string[], options?: RunOptions): Promise<Result>;
  /** Parses the output of a command line as JSON. Fails if the command failed. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came.
  read(...argv: string[]): Promise<any>;
  /** Returns each request since the last call: `GET /worklogs?…` within the API, decoded, with its body. */
  sent(): string[];
  remove(): Promise<void>;
}

/** Starts a sandbox without limits, unless `options` sets limits. */
export async function withToken(options: SandboxOptions = {}): Promise<WithToken> {
  const [sandbox, machine] = await Promise.all([startSandbox({ limits: 'off', ...options }), createMachine()]);
  const host = new URL(sandbox.origin).host;
  const as = (token: string, argv: readonly string[], options: RunOptions = {}): Promise<Result> => {
    const secret = sandbox.tokens.find(({ name }) => name === token)?.value ?? token;
    return machine.svc(argv, { ...options, env: { SVC_HOST: host, SVC_TOKEN: secret, ...options.env } });
  };
  return {
    sandbox,
    home: machine.home,
    host,
    as,
    svc: (argv, options) => as('full', argv, options),
    async read(...argv) {
      const { code, stdout, stderr } = await as('full', argv);
      if (code !== 0) throw new Error(`svc ${argv.join(' ')}: ${stderr}`);
      return JSON.parse(stdout);
    },
    sent: () => sent({ requests: sandbox.requests.splice(0) }).map((line) => line.replace('/api/v2', '')),
    async remove() {
      await sandbox.close();
      await machine.remove();
    },
  };
}
