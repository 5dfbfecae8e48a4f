/** An injected bug: a text that replaces another text in one file of `src/`. The original text must occur exactly once. */
export interface InjectedBug {
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly put: string;
  /** The first seed to play, for a bug that rarely shows. Default: 1. */
  readonly from?: number;
}

export const INJECTED_BUGS: readonly InjectedBug[] = [
  {
    what: 'A create is sent without its key',
    file: 'journal/journaled-client.ts',
    find: "method === 'POST' ? { ...given, idempotencyKey: key } : given",
    put: 'given',
  },
  {
    what: 'A repeated command ignores the unconfirmed write',
    file: 'session/record-writes.ts',
    find: 'if (key === undefined) return journal.unconfirmed(digest);',
    put: 'if (key === undefined) return undefined;',
  },
  {
    what: 'The write of a killed process counts as being sent',
    file: 'journal/sender.ts',
    find: 'return lock === undefined;',
    put: 'return true;',
  },
  {
    what: 'svc records a write without a flush',
    file: 'journal/connection.ts',
    find: "if (logged && durability === 'now') flush",
    put: "if (!logged && durability === 'now') flush",
  },
  {
    what: 'A refusal after a lost answer counts as not done',
    file: 'journal/write-outcome.ts',
    find: "if (mayHaveRun) return { outcome: 'unknown', status };",
    put: '',
  },
  {
    what: 'Ctrl-C is exit 0',
    file: 'errors.ts',
    find: 'SIGINT: 130,',
    put: 'SIGINT: 0,',
  },
  {
    what: 'svc resolves a write before it prints the record',
    file: 'journal/journaled-client.ts',
    find: 'if (started !== undefined) answered.push({ number: started.number, resolution });',
    put: 'await resolveOne(started?.number, resolution);',
  },
  {
    what: 'A repeated write gets a new key',
    file: 'session/record-writes.ts',
    find: 'idempotencyKey: key,\n    ...(ownOrigin',
    put: '...(ownOrigin',
  },
  {
    what: 'The lock of the sign-in does not lock',
    file: 'auth/lock.ts',
    find: "database.exec('BEGIN EXCLUSIVE');",
    put: '',
  },
  {
    what: 'A renewal without an answer deletes the sign-in',
    file: 'auth/refresh.ts',
    find: "if (outcome.kind === 'failed') throw outcome.error;",
    put: "if (outcome.kind === 'failed') {\n    await held.remove();\n    throw outcome.error;\n  }",
  },
  {
    what: 'A renewal stores the used refresh token again',
    file: 'auth/redeem.ts',
    find: 'refresh_token: fresh.refresh_token ?? grant.refresh_token,',
    put: 'refresh_token: grant.refresh_token,',
  },
  {
    what: 'svc uses renewed tokens before it stores the tokens',
    file: 'auth/refresh.ts',
    find: '    await writeForSure(held, fresh, deps);',
    put: '    void writeForSure(held, fresh, deps);',
  },
  {
    what: 'The message about an expired sign-in contains its token',
    file: 'auth/refresh.ts',
    find: '  throw over(outcome, host);',
    put: '  throw new SignInError(`The sign-in ' + '$' + '{sent.grant.refresh_token} is over.`);',
  },
  {
    what: 'A sign-out does not delete the tokens',
    file: 'commands/logout.ts',
    find: '    await held.remove();',
    put: '',
  },
  {
    what: 'svc renames a file before it flushes the file',
    file: 'system/files.ts',
    find: "open(path, 'wx', mode);\n  try {\n    await file.writeFile(text);\n    await file.sync();",
    put: "open(path, 'wx', mode);\n  try {\n    await file.writeFile(text);",
  },
  {
    what: 'A keychain call has no time limit',
    file: 'auth/stores/patient-keychain.ts',
    find: 'return await Promise.race([answer, refusal.promise]);',
    put: 'return await answer;',
  },
  {
    what: 'A resumed export keeps the rows after its checkpoint',
    file: 'bulk/export/download.ts',
    find: 'await files.truncate(file, from?.bytes ?? 0);',
    put: 'if (from === undefined) await files.truncate(file, 0);',
  },
  {
    what: 'A sync requests changes from a time that is too late',
    file: 'bulk/changed-since.ts',
    find: 'Date.parse(time) - OVERLAP',
    put: 'Date.parse(time) + OVERLAP',
  },
  {
    what: 'svc does not record an imported row as a row',
    file: 'bulk/import/send-rows.ts',
    find: 'idempotencyKey: key, note: { row: note } }',
    put: '}',
  },
  {
    what: 'svc follows a next page of another origin',
    file: 'client/origin.ts',
    find: 'if (url === null || !isOwn(host, url) || (isApi && !isBelowApi(url))) {',
    put: 'if (url === null) {',
  },
  {
    what: 'An unreachable service gives exit 0',
    file: 'errors.ts',
    find: '[UnavailableError, 8],',
    put: '[UnavailableError, 0],',
  },
  // The other bugs were not invented: the simulation found them in svc (once-failed.ts).
  {
    what: 'svc stores a create without a sign-in where no command finds the create',
    file: 'session/account-journal.ts',
    find: 'if (known !== undefined || tokenInEnvironment(env) !== undefined) return known;',
    put: 'return known;',
  },
  {
    what: 'A full disk hides the write of a killed process',
    file: 'journal/open-journal.ts',
    find: "if (!(error instanceof JournalError && error.fault === 'full')) throw error;",
    put: 'throw error;',
  },
  {
    what: "svc accepts a proxy's page as the answer to a delete",
    file: 'journal/journaled-client.ts',
    find: "if (method === 'DELETE' && response.error === undefined) response.body();",
    put: '',
  },
  {
    what: 'svc reserves no space for renewed tokens',
    file: 'auth/refresh.ts',
    find: 'await held.reserveSpace();',
    put: 'await held.store?.probe();',
  },
  {
    what: 'The outbox sends a write that svc cannot record',
    file: 'journal/journaled-client.ts',
    find: ' || write.row !== undefined || mustBeRecorded)',
    put: ' || write.row !== undefined)',
    from: 1000301,
  },
  {
    what: 'svc drops waiting writes when the sign-in expires',
    file: 'journal/write-outcome.ts',
    find: 'if (status === 401 || status === 429)',
    put: 'if (status === 429)',
    from: 1003226,
  },
  {
    what: 'A power cut undoes the end of an export',
    file: 'bulk/export/manifest.ts',
    find: "files.remove(statePath(directory), 'now')",
    put: 'files.remove(statePath(directory))',
    from: 1000014,
  },
  {
    what: 'A power cut undoes a sign-out',
    file: 'auth/stores/file-store.ts',
    find: "files.remove(pathOf(host), 'now')",
    put: 'files.remove(pathOf(host))',
    from: 3001749,
  },
  {
    what: 'A power cut undoes a refusal',
    file: 'journal/open-journal.ts',
    find: "resolution.outcome === 'refused' || resolution.outcome === 'dropped' ? 'now' : 'soon'",
    put: "'soon'",
    from: 10013982,
  },
  {
    what: 'svc does not report that it could not record a refusal',
    file: 'journal/journaled-client.ts',
    find: 'if (consequence !== undefined) await',
    put: 'if (consequence === undefined) await',
    from: 10012270,
  },
  {
    what: 'A parked sign-in replaces a newer one in the keychain',
    file: 'auth/accounts.ts',
    find: 'if (target === keychain && (isParked ?? (await parked.hosts()).includes(host))) await parked.write(record).catch(() => undefined);',
    put: '',
    from: 10147494,
  },
  {
    what: 'A table of the local database changes row by row',
    file: 'database/sqlite-database.ts',
    find: "    database.exec('BEGIN IMMEDIATE');\n    try {\n      const result = await work();\n      makeViews(database);\n      database.exec('COMMIT');",
    put: '    try {\n      const result = await work();\n      makeViews(database);',
  },
  {
    what: 'The local database keeps deleted records',
    file: 'database/sqlite-database.ts',
    find: 'gone: remove(shape.noun, table.name, logged, gone),',
    put: 'gone: [],',
  },
];
