import type { Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import { networkErrorCode } from './network-error-code.ts';
import { ProxyFailure } from './proxy-failure.ts';

/**
 * Adds the `connect` method to a pool. undici adds this method in its index.js, which svc does not load. An error of a tunnel names the
 * proxy instead of the service.
 */
export function openTunnels<Pool extends Dispatcher>(pool: Pool, proxy: string): Pool {
  return Object.assign(pool, {
    async connect(options: Dispatcher.ConnectOptions) {
      let answer: Dispatcher.ConnectData<unknown>;
      try {
        answer = await connect.call(pool, options);
      } catch (error) {
        if (networkErrorCode(error) === undefined) throw error;
        throw new ProxyFailure(proxy, undefined, error);
      }
      if (answer.statusCode === 200) return answer;
      answer.socket.on('error', () => undefined).destroy();
      throw new ProxyFailure(proxy, answer.statusCode);
    },
  });
}
