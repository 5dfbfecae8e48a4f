const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
];

/** Writes an age in its largest unit: `3h`; under a minute in seconds. */
export function ageText(ms: number): string {
  const [unit, name] = UNITS.find(([least]) => ms >= least) ?? [1_000, 's'];
  return `${Math.max(0, Math.floor(ms / unit))}${name}`;
}
