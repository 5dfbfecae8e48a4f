import type { Network, NetworkRequest, NetworkResponse } from '../../src/deps.ts';
import { describeNetworkFailure } from '../../src/system/network-failure.ts';
import { type Fate, type Life, lives, step } from './life.ts';
import type { Machine } from './machine.ts';
import type { Answer } from './service.ts';

/** A foreign origin, which must never receive a request. */
export const STRANGER = 'http://127.0.0.1:6660';

/** Creates the network of a process. */
export function simulatedNetwork(life: Life, machine: Machine): Network {
  const { service, behaviour } = machine;
  const { timeline, trace } = life.scenario;
  const { host } = new URL(service.origin);

  async function request(sent: NetworkRequest): Promise<NetworkResponse> {
    const { method, url, signal } = sent;
    signal?.throwIfAborted();
    const at = new URL(url);
    try {
      step(life, `${method} ${at.pathname}${at.search}`);
    } catch {
      return new Promise(() => undefined);
    }
    if (at.origin !== service.origin) service.stray(sent);
    const fate = at.host === host ? behaviour.fate(sent, life.name) : 'refused';
    if (fate !== 'fine') trace(life.name, `fate: ${fate}`);
    life.causes.add(fate);
    const call = service.arriving(sent);
    const lose = (answer: Answer) => {
      if (call.endsRefresh(answer)) machine.lostRotations += 1;
    };
    const fail = (code: string, wasSent: boolean, stage: 'answer' | 'body' = 'answer') =>
      describeNetworkFailure(Object.assign(new Error(code), { code }), { request: sent, sent: wasSent, stage });
    const answers = await exchanged(sent, fate, call);
    if (answers instanceof Error) throw answers;
    return responseOf(sent, answers.answer, answers.isCut ? fail('UND_ERR_SOCKET', true, 'body') : undefined);

    function exchanged(
      from: NetworkRequest,
      how: Fate,
      arrive: () => Promise<Answer>,
    ): Promise<Error | { answer: Answer; isCut: boolean }> {
      life.pending += 1;
      return new Promise((resolve, reject) => {
        let isFinished = false;
        const finish = (then: () => void) => {
          if (isFinished || life.isDead) return;
          isFinished = true;
          life.pending -= 1;
          from.signal?.removeEventListener('abort', onAbort);
          lives.run(life, then);
        };
        const onAbort = () => finish(() => reject(from.signal?.reason));
        from.signal?.addEventListener('abort', onAbort);
        const later = (ms: number, then: () => void) => void timeline.after(ms, then);
        const give = (answer: Answer, isCut = false) =>
          later(behaviour.latency(), () => {
            if (!isFinished && !life.isDead) {
              trace(life.name, `answer ${answer.status}${isCut ? ', cut' : ''}`);
              life.causes.add(answer.status);
              const client =
                method === 'POST' && answer.status === 201 ? /"client_id":"([^"]+)"/.exec(String(answer.body))?.[1] : undefined;
              if (client !== undefined) machine.clients.add(client);
            }
            finish(() => resolve({ answer, isCut }));
          });
        const broken = (ms: number, code: string, wasSent: boolean) => later(ms, () => finish(() => resolve(fail(code, wasSent) as Error)));
        const act = (ms: number, then: (answer: Answer) => void) =>
          later(ms, () => {
            call.heard();
            void arrive().then(then);
          });
        const there = behaviour.latency();
        later(from.timeoutMs, () => finish(() => resolve(fail('SVC_TIMEOUT', true) as Error)));
        switch (how) {
          case 'refused':
            return broken(there, 'ECONNREFUSED', false);
          case 'lost':
            return broken(there, 'ECONNRESET', true);
          case 'silent':
            return undefined;
          case 'late':
            return act(from.timeoutMs + there, lose);
          case 'unanswered':
            return act(there, (answer) => {
              lose(answer);
              broken(behaviour.latency(), 'ECONNRESET', true);
            });
          case 'cut':
            return act(there, (answer) => {
              lose(answer);
              give(answer, true);
            });
          case 'failing after':
            return act(there, (answer) => {
              lose(answer);
              give(failureOf(behaviour.failure(), undefined));
            });
          case 'failing':
            return later(there, () => give(failureOf(behaviour.failure(), behaviour.retryAfter())));
          case 'limited':
            return later(there, () => give(failureOf(429, behaviour.retryAfter())));
          case 'garbage':
            return later(there, () =>
              give({
                status: 200,
                headers: { 'content-type': 'text/html' },
                body: Buffer.from('<html>Sign in to the guest network</html>'),
              }),
            );
          case 'led astray':
          case 'fine':
            return act(there, (answer) => {
              if (at.pathname.includes('token')) life.isRotating = true;
              if (life.isDead || isFinished) lose(answer);
              else give(how === 'fine' ? answer : astray(answer, service.origin));
            });
        }
      });
    }
  }

  return { request, warm: () => undefined, close: async () => undefined };
}

function failureOf(status: number, retryAfter: number | undefined): Answer {
  const problem = { type: `https://problems.example/${status === 429 ? 'rate-limit-exceeded' : 'server-error'}`, title: 'Not now', status };
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) },
    body: Buffer.from(JSON.stringify(problem)),
  };
}

/** Returns an answer in which a foreign origin replaces the service’s own. */
function astray({ status, headers, body }: Answer, origin: string): Answer {
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll(origin, STRANGER)])),
    body: Buffer.from(body.toString('utf8').replaceAll(origin, STRANGER)),
  };
}

function responseOf({ method }: NetworkRequest, { status, headers, body }: Answer, broken: unknown): NetworkResponse {
  const half = body.length >> 1;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    if (method === 'HEAD') return;
    yield broken === undefined ? body : body.subarray(0, half);
    if (broken !== undefined) throw broken;
  }
  const all = async () => {
    if (broken !== undefined) throw broken;
    return body;
  };
  return {
    status,
    headers,
    body: pieces(),
    bytes: all,
    text: async () => (await all()).toString('utf8'),
    discard: async () => undefined,
  };
}
