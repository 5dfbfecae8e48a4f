import {
  type Document,
  DUMP_SCHEMA,
  defineScalarTag,
  dump,
  floatCoreTag,
  intCoreTag,
  SCALAR_STYLE,
  type ScalarTagDefinition,
  visit,
} from 'js-yaml';
import { isUnsafe } from '../values/hidden-characters.ts';
import { isRawNumber, type JsonObject } from '../values/json.ts';
import { pickFields, selectFields } from './fields.ts';
import { escapeUnsafe } from './neutralise.ts';
import { createRowWriter } from './row-writer.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/** One sequence, a record an item. */
export function createYamlWriter(options: WriterOptions): RecordWriter {
  const narrow = narrower(options);
  return createRowWriter(options, { row: (record) => writeYaml([narrow(record)]), end: (rows) => (rows === 0 ? '[]\n' : '') });
}

/** One record as a document. */
export function renderYamlRecord(record: JsonObject, options: WriterOptions): string {
  return writeYaml(narrower(options)(record));
}

function narrower({ fields }: WriterOptions): (record: JsonObject) => JsonObject {
  if (fields === undefined) return (record) => record;
  const selection = selectFields(fields);
  return (record) => pickFields(record, selection);
}

function writeYaml(value: JsonObject | readonly JsonObject[]): string {
  // The library quotes what YAML 1.1 reads as something else too: a bare `no` or `12:30` is no string to readers that are still about.
  return escapeUnsafe(dump(value, { schema: SCHEMA, noRefs: true, lineWidth: -1, quoteStyle: 'double', transform: quoteUnsafe }));
}

/** Only a double-quoted string can spell characters that a terminal would obey, or that YAML forbids. */
function quoteUnsafe(documents: Document[]): void {
  visit(documents, (node) => {
    if (node.kind !== 'scalar' || !isUnsafe(node.value)) return;
    node.value = node.value.toWellFormed();
    node.style = SCALAR_STYLE.DOUBLE_QUOTED;
  });
}

/** Writes a kept number as the text it came in. */
const SCHEMA = DUMP_SCHEMA.withTags(
  [intCoreTag, floatCoreTag].map((tag) => {
    const isInteger = tag === intCoreTag;
    const known = DUMP_SCHEMA.tags.find(({ tagName }) => tagName === tag.tagName) as ScalarTagDefinition;
    return defineScalarTag(tag.tagName, {
      ...known,
      identify: (data) => (isRawNumber(data) ? /^-?\d+$/.test(data.rawJSON) === isInteger : known.identify(data)),
      represent: (data) => (isRawNumber(data) ? data.rawJSON : known.represent(data)),
    });
  }),
);
