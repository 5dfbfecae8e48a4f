import { connect } from 'node:net';

/** Sends exactly these bytes to a port of this machine and returns all that comes back until the connection ends. */
export function rawExchange(address: string, port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, address, () => socket.write(request));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('close', () => resolve(answer));
    // A server that refuses a request half way resets the connection; what it said before counts.
    socket.on('error', (error) => (answer === '' ? reject(error) : undefined));
  });
}
