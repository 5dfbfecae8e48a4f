/** Hours between two lines of a scale: a round number that makes three to six of them up to `most`. */
export function hoursStep(most: number): number {
  const rough = Math.max(most, 1) / 5;
  const scale = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((factor) => factor * scale >= rough) ?? 10) * scale;
}
