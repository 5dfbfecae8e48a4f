import { UsageError } from '../../errors.ts';
import { isJsonObject, type JsonValue, parseJson, scalarText } from '../../values/json.ts';
import { quote } from '../../values/text.ts';
import type { ExportFormat } from './define.ts';
import { type KlogRow, readKlogText } from './klog-text.ts';

/** klog has no projects, so a tag can name one: `#web-shop` or `#project=web-shop`. */
export const klog: ExportFormat = {
  kind: 'klog',
  fits: (has) => has('date', 'total_mins', 'summary'),
  read(cells) {
    const summary = cells('summary');
    const minutes = cells.read(['total_mins'], readMinutes);
    return {
      date: cells('date'),
      dateColumn: cells.column('date'),
      seconds: minutes * 60,
      project: '',
      maybeProjects: tagsIn(summary),
      task: '',
      tags: '',
      description: summary,
      billable: undefined,
      who: [],
      ...(cells('type') === 'open_range' && { skip: 'still running' }),
    };
  },
};

/** Of a klog file, or of the output of `klog json`; undefined for any other text. @throws UsageError that names the line. */
export function klogRows(text: string): readonly KlogRow[] | undefined {
  if (/^\s*\{\s*"records"\s*:/.test(text)) return readEnvelope(text);
  return /^\s*\d{4}([-/])\d\d\1\d\d[ \t]*(?:\([^)]*!\)[ \t]*)?(?:\r?\n|$)/.test(text) ? readKlogText(text) : undefined;
}

function readEnvelope(text: string): readonly KlogRow[] | undefined {
  let envelope: JsonValue;
  try {
    envelope = parseJson(text);
  } catch {
    return undefined;
  }
  const records = isJsonObject(envelope) ? envelope['records'] : undefined;
  if (!Array.isArray(records)) {
    throw new UsageError('klog could not read its file: the JSON has errors and no records.', { hint: 'See: klog print' });
  }
  const rows = records.filter(isJsonObject).flatMap((record) => {
    const entries = Array.isArray(record['entries']) ? record['entries'].filter(isJsonObject) : [];
    return entries.map((entry) => ({
      date: record['date'] ?? null,
      type: entry['type'] ?? null,
      total_mins: entry['total_mins'] ?? null,
      summary: scalarText(entry['summary']) || scalarText(record['summary']),
    }));
  });
  return rows.map((values, index) => ({ line: index + 1, values }));
}

function readMinutes(text: string): number {
  const minutes = Number(text);
  if (!Number.isInteger(minutes)) throw new UsageError(`${quote(text)} is not a number of minutes.`);
  // klog subtracts a negative time from the total of the day. svc does not know which entry to make shorter.
  if (minutes < 0) throw new UsageError(`${quote(text)} subtracts time, which svc cannot log. Make another entry shorter.`);
  return minutes;
}

/** Returns the value of each tag, or its name: `#web-shop`, `#project=web-shop`, `#project="Web shop"`. */
function tagsIn(text: string): string[] {
  return [...text.matchAll(/#([\p{L}\d_-]+)(?:=(?:"([^"]*)"|'([^']*)'|([\p{L}\d_-]+)))?/gu)].map(
    ([, name = '', double, single, bare]) => double ?? single ?? bare ?? name,
  );
}
