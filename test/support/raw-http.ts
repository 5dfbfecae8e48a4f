import { connect } from 'node:net';

/** Sends exact bytes to a port of this machine. Returns all received bytes until the connection ends. */
export function rawExchange(address: string, port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, address, () => socket.write(request));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('close', () => resolve(answer));
    // A server that refuses an incomplete request resets the connection. The answer before the reset counts.
    socket.on('error', (error) => (answer === '' ? reject(error) : undefined));
  });
}
