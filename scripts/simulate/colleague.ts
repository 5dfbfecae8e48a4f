import type { Random } from '../../src/sandbox/seed/seeding.ts';
import { type Entry, recordOf } from './hours.ts';
import type { Scenario } from './life.ts';
import type { Service } from './service.ts';

/** Another person, who writes at the service with a token of their own. The network of this person never fails. */
export interface Colleague {
  /** Creates, changes or deletes a time entry that no machine of the scenario wrote. */
  write(): Promise<void>;
  /** Changes a work item, or creates, changes or deletes a comment on one. */
  discuss(): Promise<void>;
  /** Changes the minutes of an entry of a machine. Returns the new minutes, or undefined if the service refuses the change. */
  change(entry: Entry): Promise<number | undefined>;
}

/** Matches the texts of records that the machines of a scenario write. */
const OF_A_MACHINE = /^M?[WI]\d/;

export function createColleague(service: Service, { trace }: Scenario, random: Random): Colleague {
  const token = service.sandboxState.tokens.all.find(({ name }) => name === 'manager')?.value ?? '';
  let serial = 0;

  async function send(method: string, path: string, body?: object): Promise<boolean> {
    const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const url = `${service.origin}/api/v2${path}`;
    const { status } = await service.arriving({ method, url, headers, timeoutMs: 1, ...(body && { body: JSON.stringify(body) }) })();
    trace('colleague', `${method} ${path} ${JSON.stringify(body ?? {})}: ${status}`);
    return status < 300;
  }

  return {
    async write() {
      const others = service.live('worklogs').filter(({ description }) => !OF_A_MACHINE.test(String(description)));
      const kind = random.integer(0, 3);
      const row = random.pick(others);
      if (kind === 0) {
        serial += 1;
        await send('POST', '/worklogs', { minutes: 15, date: '2027-03-03', description: `C${serial}` });
      } else if (kind === 1) await send('DELETE', `/worklogs/${row.id}`);
      else await send('PATCH', `/worklogs/${row.id}`, { minutes: random.integer(1, 20) * 7 });
    },
    async discuss() {
      const items = service.live('work-items');
      const comments = service.live('comments');
      const kind = random.integer(0, 4);
      const item = random.pick(items);
      serial += 1;
      if (kind === 0 || comments.length === 0) await send('PATCH', `/work-items/${item.id}`, { title: `T${serial}` });
      else if (kind < 3) await send('POST', `/work-items/${item.id}/comments`, { body: `C${serial}` });
      else {
        const { id, work_item_id: parent } = random.pick(comments);
        const path = `/work-items/${String(parent)}/comments/${id}`;
        await (kind === 3 ? send('DELETE', path) : send('PATCH', path, { body: `C${serial}` }));
      }
    },
    async change(entry) {
      const minutes = random.integer(1, 20) * 11;
      const id = recordOf(service, entry.text)?.id;
      return id !== undefined && (await send('PATCH', `/worklogs/${id}`, { minutes })) ? minutes : undefined;
    },
  };
}
