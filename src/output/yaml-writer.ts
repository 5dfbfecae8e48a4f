import { Document, Scalar, type ScalarTag, visit } from 'yaml';
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
  // YAML 1.1 readers are still about (a bare `no` or `12:30` is no string to them); `compat` quotes for both versions.
  const document = new Document(value, { compat: 'yaml-1.1', customTags: [KEPT_NUMBER], aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      // Only a double-quoted string can spell characters that a terminal would obey, or that YAML forbids.
      if (typeof node.value === 'string' && isUnsafe(node.value)) {
        node.value = node.value.toWellFormed();
        node.type = Scalar.QUOTE_DOUBLE;
      }
    },
  });
  return escapeUnsafe(document.toString({ lineWidth: 0 }));
}

/** Writes a kept number as the text it came in. */
const KEPT_NUMBER: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isRawNumber,
  resolve: Number,
  stringify: ({ value }: Scalar) => (isRawNumber(value) ? value.rawJSON : String(value)),
};
