import { type ExportFormat, plainName } from './define.ts';
import { klog } from './klog.ts';
import { REPORT_FORMATS } from './reports.ts';
import { timewarrior } from './timewarrior.ts';
import { watson } from './watson.ts';

export function recogniseExport(columns: Iterable<string>): ExportFormat | undefined {
  const names = new Set([...columns].map(plainName));
  const formats = [...REPORT_FORMATS, watson, timewarrior, klog];
  return formats.find(({ fits }) => fits((...wanted) => wanted.every((name) => names.has(name))));
}
