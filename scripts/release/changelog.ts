/**
 * Moves the unreleased changes of the changelog under a version, and adds an empty section for the next changes.
 *
 * @param day date of the release, `YYYY-MM-DD`.
 * @throws Error if there are no unreleased changes.
 */
export function releasedChangelog(changelog: string, version: string, day: string): string {
  const heading = '## [Unreleased]';
  const start = changelog.indexOf(heading);
  const after = start + heading.length;
  const next = changelog.indexOf('\n## [', after);
  const notes = changelog.slice(after, next < 0 ? undefined : next).trim();
  if (start < 0 || notes === '') throw new Error('CHANGELOG.md has nothing under Unreleased. Describe the changes there.');
  const rest = next < 0 ? '' : changelog.slice(next);
  return `${changelog.slice(0, after)}\n\n## [${version}] - ${day}\n\n${notes}\n${rest}`;
}

/** Returns the changes of a version, for the release page. */
export function notesOf(changelog: string, version: string): string {
  const start = changelog.indexOf(`## [${version}]`);
  if (start < 0) return '';
  const from = changelog.indexOf('\n', start);
  const next = changelog.indexOf('\n## [', from);
  return changelog.slice(from, next < 0 ? undefined : next).trim();
}
