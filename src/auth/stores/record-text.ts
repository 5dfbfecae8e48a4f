import { SvcError } from '../../errors.ts';
import { isPlainObject, parsedJson } from '../../values/json.ts';
import { eachOf, type FormCheck, optional, shape } from '../../values/shape.ts';
import { signInWords } from '../../values/sign-in-names.ts';
import type { HostRecord } from '../record.ts';

/** Returns a sign-in record as one line of ASCII JSON. Each character is then one byte, so svc can cut the text anywhere. */
export function recordToText(record: HostRecord): string {
  return JSON.stringify(record).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Parses the output of {@link recordToText}. svc checks the record without zod, because this code runs in every command with a stored
 * sign-in. Keeps members that this version does not know.
 *
 * @param where The store, for the message.
 * @throws SvcError for text that is not a record of this host, or that a newer svc wrote. The message never quotes the text.
 */
export function textToRecord(text: string, host: string, where: string): HostRecord {
  const record = parsedJson(text);
  if (isPlainObject(record) && typeof record['version'] === 'number' && record['version'] > 1) {
    throw new SvcError(`A newer svc wrote the record for ${host} (${where}).`, { hint: 'Update svc.' });
  }
  if (!isHostRecord(record) || record.host !== host) {
    throw new SvcError(`The record for ${host} (${where}) is damaged, and svc cannot read the record.`, {
      hint: `Remove the record with "svc logout ${signInWords(host)}", then sign in again.`,
    });
  }
  return record;
}

const isString: FormCheck = (value) => typeof value === 'string';
const isTime: FormCheck = (value) => typeof value === 'number' && Number.isFinite(value);
const isStrings = eachOf(isString);

const isRecordShape = shape({
  version: (value) => value === 1,
  host: isString,
  origin: isString,
  registration: optional(shape({ client_id: isString, registered_at: isTime, redirect_uris: isStrings })),
  grant: optional(
    shape({
      client_id: isString,
      access_token: isString,
      refresh_token: isString,
      expires_at: isTime,
      issued_at: isTime,
      scope: isStrings,
      token_endpoint: isString,
      revocation_endpoint: optional(isString),
    }),
  ),
  personal: optional(shape({ token: isString, added_at: isTime, expires: optional(isString) })),
  account: optional(isPlainObject),
});

function isHostRecord(value: unknown): value is HostRecord {
  return isRecordShape(value);
}
