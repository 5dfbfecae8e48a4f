/** A write was kept for later instead of being sent. Not a failure: the command ends with these words, and exit 0. */
export class WriteKept extends Error {
  override readonly name = 'WriteKept';
}
