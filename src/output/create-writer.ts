import type { JsonObject } from '../values/json.ts';
import type { HumanFormat, OutputFormat, Presentation } from './format.ts';
import type { Report } from './report.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

export async function createWriter(format: OutputFormat, options: WriterOptions): Promise<RecordWriter> {
  switch (format) {
    case 'json':
      return (await import('./json-writer.ts')).createJsonWriter(options);
    case 'ndjson':
      return (await import('./json-writer.ts')).createNdjsonWriter(options);
    case 'csv':
      return (await import('./csv-writer.ts')).createCsvWriter(options);
    case 'tsv':
      return (await import('./csv-writer.ts')).createTsvWriter(options);
    case 'yaml':
      return (await import('./yaml-writer.ts')).createYamlWriter(options);
    case 'ids':
      return (await import('./ids-writer.ts')).createIdsWriter(options);
    case 'md':
      return (await import('./markdown.ts')).createMarkdownWriter(options);
    case 'table':
      if (options.blocks) return (await import('./blocks-writer.ts')).createBlocksWriter(options);
      return (await import('./table-writer.ts')).createTableWriter(options);
  }
}

export async function renderRecord(record: JsonObject, format: OutputFormat, options: WriterOptions): Promise<string> {
  if (format === 'json') return (await import('./json-writer.ts')).renderJsonRecord(record, options);
  if (format === 'yaml') return (await import('./yaml-writer.ts')).renderYamlRecord(record, options);
  if (format === 'md') return (await import('./markdown.ts')).renderMarkdownRecord(record, options);
  if (format === 'table' && options.blocks) return (await import('./blocks-writer.ts')).renderRecordBlock(record, options);
  if (format === 'table') return (await import('./table-writer.ts')).renderRecordTable(record, options);
  const writer = await createWriter(format, options);
  return writer.begin() + writer.row(record) + writer.end();
}

export async function renderReport(report: Report, presentation: Presentation): Promise<string> {
  switch (presentation.format as HumanFormat) {
    case 'md':
      return (await import('./markdown.ts')).markdownReport(report);
    case 'table':
      if (presentation.isSpoken) return (await import('./report-text.ts')).spokenReport(report, { ...presentation, width: undefined });
      return (await import('./report-text.ts')).textReport(report, presentation);
  }
}
