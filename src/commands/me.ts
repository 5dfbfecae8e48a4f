import { defineCommand } from './define.ts';
import { printRecord } from './print.ts';
import { readRecord } from './read-record.ts';

/** `svc me`: `GET /me`. */
export const me = defineCommand({
  name: 'me',
  summary: 'Who you are signed in as',
  examples: [
    { args: 'me', does: 'Your user record' },
    { args: 'me --jq .timezone', does: 'Only your time zone' },
  ],
  async run(context) {
    const client = await context.client();
    const response = await client.send({ method: 'GET', path: '/me' });
    await printRecord(context, readRecord(response));
  },
});
