import type { Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import { networkErrorCode } from './network-error-code.ts';
import { ProxyFailure } from './proxy-failure.ts';

/**
 * Adds proxy tunnels to a pool, because undici adds tunnels only in its index. An error of a tunnel blames the proxy instead of the
 * service.
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
