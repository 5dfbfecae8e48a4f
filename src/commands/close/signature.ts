import { resolve } from 'node:path';
import type { ProgramResult } from '../../deps.ts';
import { SvcError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';

export type Signing = 'holdNotices' | 'programs' | 'system';

/** The namespace of the signatures. A signature for another purpose, such as a commit, is not valid. */
const NAMESPACE = ['-n', 'svc-close'];

/** Returns the signature of a text. ssh-keygen asks for the passphrase of the key at the terminal. @throws SvcError without a signature. */
export async function sign(context: Needs<Signing>, key: string, text: string): Promise<string> {
  const path = resolve(context.system.cwd, key);
  const { code, stdout, stderr } = await context.holdNotices(() => run(context, ['-Y', 'sign', '-f', path, ...NAMESPACE], text));
  if (code === 0) return stdout;
  throw new SvcError(`ssh-keygen did not sign the seal: ${lastLine(stderr)}`, { hint: 'Check the key and its passphrase.' });
}

/**
 * Checks the signature in `<path>.sig` with ssh-keygen. Returns a sentence about the result.
 *
 * @param allowed The file of allowed signers (ssh-keygen(1)). Without this file, the key can belong to anybody.
 * @throws SvcError for a wrong signature, for a key that is not allowed, and without ssh-keygen.
 */
export async function checkSignature(context: Needs<Signing>, path: string, text: string, allowed: string | undefined): Promise<string> {
  const how = [...NAMESPACE, '-s', `${path}.sig`];
  const bare = await run(context, ['-Y', 'check-novalidate', ...how], text);
  const [key] = /SHA256:\S+/.exec(bare.stdout) ?? [];
  if (bare.code !== 0 || key === undefined)
    throw new SvcError(`The signature ${path}.sig does not match the seal: ${lastLine(bare.stderr)}`, {
      hint: 'Use unchanged copies of both files.',
    });
  if (allowed === undefined)
    return `ssh-keygen verified that the key ${key} signed the seal, but not whose key that is. To check the signer: --allowed-signers <file>`;
  const signers = ['-f', resolve(context.system.cwd, allowed)];
  const [signer = ''] = (await run(context, ['-Y', 'find-principals', ...signers, ...how], '')).stdout.split('\n');
  const { code } = await run(context, ['-Y', 'verify', ...signers, '-I', signer, ...how], text);
  if (signer !== '' && code === 0) return `ssh-keygen verified the signature of ${signer}, key ${key}.`;
  throw new SvcError(`${allowed} does not allow the key ${key} to sign seals.`, {
    hint: 'Ask the person who closed the month for the public key.',
  });
}

async function run({ programs }: Needs<Signing>, args: readonly string[], input: string): Promise<ProgramResult> {
  return programs.sshKeygen(args, input).catch((cause: unknown) => {
    throw new SvcError(`svc cannot start ssh-keygen: ${cause instanceof Error ? cause.message : cause}`, {
      hint: 'Install OpenSSH.',
      cause,
    });
  });
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
