/**
 * Whether work on something is under way or over, by what its status is called: which of them mean that is not documented. Undefined
 * where the name tells neither.
 */
export function phaseNamed(status: string): 'in progress' | 'done' | undefined {
  const said = status.toLowerCase().replace(/[_-]/g, ' ');
  if (/^(done|closed|completed?|finished|resolved|cancell?ed|rejected|paid)$/.test(said)) return 'done';
  return /\b(progress|doing|started|review|testing)\b/.test(said) ? 'in progress' : undefined;
}
