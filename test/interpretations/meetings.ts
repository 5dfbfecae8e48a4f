/**
 * Returns the rows that together contain each pair of values of these options that `rows` contain. Always includes the first row. Each step
 * takes the row with the most new pairs.
 */
export function rowsThatMeet<R extends Readonly<Record<string, unknown>>>(rows: readonly R[], names: readonly (keyof R & string)[]): R[] {
  const meetings = rows.map((row) => ({ row, pairs: meetingsOf(row, names) }));
  const open = new Set(meetings.flatMap(({ pairs }) => pairs));
  const taken: R[] = [];
  for (let next = meetings[0]; next !== undefined; ) {
    taken.push(next.row);
    for (const pair of next.pairs) open.delete(pair);
    const scored = meetings.map((meeting) => ({ meeting, fresh: meeting.pairs.filter((pair) => open.has(pair)).length }));
    const best = scored.reduce((most, one) => (one.fresh > most.fresh ? one : most));
    next = best.fresh === 0 ? undefined : best.meeting;
  }
  return rows.filter((row) => taken.includes(row));
}

/** Returns each pair of values in a row as a text. For a single option, returns the value. */
export function meetingsOf(row: Readonly<Record<string, unknown>>, names: readonly string[]): string[] {
  const places = names.map((name) => `${name}=${String(row[name])}`);
  return places.flatMap((a, index) => (places.length === 1 ? [a] : places.slice(index + 1).map((b) => `${a} ${b}`)));
}
