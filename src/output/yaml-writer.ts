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
import { fieldPicker } from './fields.ts';
import { escapeUnsafe } from './neutralise.ts';
import { createRowWriter, type RecordWriter, type WriterOptions } from './writer.ts';

export function createYamlWriter(options: WriterOptions): RecordWriter {
  const narrow = fieldPicker(options.fields);
  return createRowWriter(options, { row: (record) => writeYaml([narrow(record)]), end: (rows) => (rows === 0 ? '[]\n' : '') });
}

export function renderYamlRecord(record: JsonObject, options: WriterOptions): string {
  return writeYaml(fieldPicker(options.fields)(record));
}

export function writeYaml(value: JsonObject | readonly JsonObject[]): string {
  // The library quotes strings such as `no` or `12:30`, which YAML 1.1 would read differently.
  return escapeUnsafe(dump(value, { schema: SCHEMA, noRefs: true, lineWidth: -1, quoteStyle: 'double', transform: quoteUnsafe }));
}

/** Puts strings with control characters into double quotes, because only double quotes allow escapes. */
function quoteUnsafe(documents: Document[]): void {
  visit(documents, (node) => {
    if (node.kind !== 'scalar' || !isUnsafe(node.value)) return;
    node.value = node.value.toWellFormed();
    node.style = SCALAR_STYLE.DOUBLE_QUOTED;
  });
}

/** The YAML schema, extended so that a number keeps its original digits. */
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
