import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/start.ts';
import { sent } from '../support/sent.ts';
import { createMachine, type Result, type RunOptions } from '../support/svc.ts';

/** A machine that nobody is signed in on, and a sandbox: a token in the environment says who asks. */
export interface WithToken {
  readonly sandbox: Sandbox;
  readonly home: string;
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  /** Runs `svc <argv>` with the token that can do everything. */
  svc(argv: readonly string[], options?: RunOptions): Promise<Result>;
  /** The same with another token: the name of one that the sandbox has, or a secret. */
  as(token: string, argv: readonly string[], options?: RunOptions): Promise<Result>;
  /** What a command line printed, as JSON; fails when it failed. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came.
  read(...argv: string[]): Promise<any>;
  /** `GET /worklogs?…` of each request since the last call, below the API, readable, with its body. */
  sent(): string[];
  remove(): Promise<void>;
}

/** A sandbox without limits, unless told otherwise. */
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
