import { clockify } from './clockify.ts';
import { type ExportFormat, plainName } from './define.ts';
import { harvest } from './harvest.ts';
import { kimai } from './kimai.ts';
import { klog } from './klog.ts';
import { tempo } from './tempo.ts';
import { timewarrior } from './timewarrior.ts';
import { toggl } from './toggl.ts';
import { watson } from './watson.ts';

/** All known formats; svc takes the first that fits. Clockify comes before Toggl Track, because it has the same columns and more. */
const FORMATS: readonly ExportFormat[] = [clockify, tempo, kimai, toggl, harvest, watson, timewarrior, klog];

export function recogniseExport(columns: Iterable<string>): ExportFormat | undefined {
  const names = new Set([...columns].map(plainName));
  return FORMATS.find(({ fits }) => fits((...wanted) => wanted.every((name) => names.has(name))));
}
