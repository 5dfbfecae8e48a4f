/**
 * Returns the phase that the name of a status shows: in progress or done. The documentation does not name the phases. Undefined if the name
 * shows neither phase.
 */
export function phaseNamed(status: string): 'in progress' | 'done' | undefined {
  const name = status.toLowerCase().replace(/[_-]/g, ' ');
  if (/^(done|closed|completed?|finished|resolved|shipped|delivered|released|deployed|archived|cancell?ed|rejected|paid)$/.test(name))
    return 'done';
  return /\b(progress|doing|started|review|testing)\b/.test(name) ? 'in progress' : undefined;
}

/** The usual statuses of a rejected or withdrawn absence. The service does not document the statuses. */
export const TURNED_DOWN: ReadonlySet<string> = new Set('declined rejected refused denied cancelled canceled withdrawn'.split(' '));
