/**
 * Those of `rows` that are needed for each position of each of these axes to meet each position of the others, as far as
 * `rows` have such meetings; the first row always. Each step takes the row with the most that is new.
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

/** Each two positions of a row as a text; of a single axis, the position alone. */
export function meetingsOf(row: Readonly<Record<string, unknown>>, names: readonly string[]): string[] {
  const places = names.map((name) => `${name}=${String(row[name])}`);
  return places.flatMap((a, index) => (places.length === 1 ? [a] : places.slice(index + 1).map((b) => `${a} ${b}`)));
}
