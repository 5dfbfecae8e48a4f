/** Returns true if a version has three numbers and is later than another version. */
export function isLaterVersion(version: string, than: string): boolean {
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) return false;
  const [one, other] = [version, than].map((text) => text.split('.').map(Number));
  for (const place of [0, 1, 2]) {
    const difference = (one?.[place] ?? 0) - (other?.[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
