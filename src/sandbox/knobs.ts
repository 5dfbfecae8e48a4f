/**
 * Where the documentation leaves a question open the sandbox picks one answer (the first value named here is the
 * default) and a test can turn the knob to another. Knobs may be changed while the sandbox runs.
 */
export interface SandboxKnobs {
  /** Single records inside `{"data": …}` (as `/me` is documented) or bare. `/me` is always wrapped. */
  wrapSingleRecords: boolean;
  /** How discovery writes `path` and `item_path`: `/worklogs`, `/api/v2/worklogs`, `https://host/api/v2/worklogs`. */
  discoveryPaths: 'relative' | 'rooted' | 'absolute';
  /** `GET /` for a token whose abilities are all narrowed. */
  narrowedDiscovery: 'answered' | 'refused';
  /** `GET /me` for a token whose abilities are all narrowed. */
  narrowedMe: 'answered' | 'refused';
  /** Bad scope, PKCE or response type at the authorization endpoint: error sent to the redirect address, or a page. */
  authorizeErrors: 'redirect' | 'page';
  /** Whether the authorization server's metadata has `issuer` (and `response_types_supported` and the like). */
  issuer: boolean;
  /** Whether redirects carry `iss` (RFC 9207), and the metadata says so. */
  issParameter: boolean;
  /** The status of a successful registration. */
  registrationStatus: 201 | 200;
  /** Whether a refresh ends the access token that it replaces. */
  refreshEndsAccessToken: boolean;
  /** Whether a refresh token that was used before ends the whole connection when it comes again. */
  refreshReuseDisconnects: boolean;
  /** What a POST without an Idempotency-Key gets: done, or `400 idempotency-key-required`. */
  idempotencyKey: 'optional' | 'required';
  /** What a DELETE answers: 204 without a body, or 200 with the record. */
  deleteAnswers: 'nothing' | 'record';
  /** Problem type of a record that is not there. */
  missingRecordType: string;
  /** What a transition to the present status with a stale If-Match gets. */
  staleNoop: 412 | 200;
  /** Whether `/subtasks`, `/sales-invoice-rows` and other children are listed at the top too. */
  topLevelChildren: boolean;
  /** Whether an absence's `start` and `end` are shown as date-times or calendar dates. Filters take the UTC form. */
  absenceBounds: 'date-time' | 'date';
  /** How much room a request needs: its whole cost, or one unit. */
  admission: 'cost' | 'one';
  /** Whether `include` is bound to the cursor too. */
  cursorBindsInclude: boolean;
}

type KnobValues = { readonly [K in keyof SandboxKnobs]: readonly [SandboxKnobs[K], ...SandboxKnobs[K][]] };

/** What each knob may be turned to; the first is the default. `missingRecordType` takes any name besides. */
const VALUES: KnobValues = {
  wrapSingleRecords: [true, false],
  discoveryPaths: ['relative', 'rooted', 'absolute'],
  narrowedDiscovery: ['answered', 'refused'],
  narrowedMe: ['answered', 'refused'],
  authorizeErrors: ['redirect', 'page'],
  issuer: [true, false],
  issParameter: [false, true],
  registrationStatus: [201, 200],
  refreshEndsAccessToken: [false, true],
  refreshReuseDisconnects: [false, true],
  idempotencyKey: ['optional', 'required'],
  deleteAnswers: ['nothing', 'record'],
  missingRecordType: ['resource-not-found'],
  staleNoop: [412, 200],
  topLevelChildren: [true, false],
  absenceBounds: ['date-time', 'date'],
  admission: ['cost', 'one'],
  cursorBindsInclude: [false, true],
};

/** Every knob at the first of its values. */
export function defaultKnobs(): SandboxKnobs {
  return Object.fromEntries(Object.entries(VALUES).map(([name, [first]]) => [name, first])) as unknown as SandboxKnobs;
}

/**
 * Reads knobs from text or JSON: `false`, `"false"` and `200`, `"200"` are the same.
 * @throws RangeError that names the knobs there are, or the values that one takes.
 */
export function readKnobs(given: Readonly<Record<string, unknown>>): Partial<SandboxKnobs> {
  const read = Object.entries(given).map(([name, value]) => {
    const values: readonly unknown[] | undefined = Object.hasOwn(VALUES, name) ? VALUES[name as keyof SandboxKnobs] : undefined;
    if (values === undefined) throw new RangeError(`There is no knob ${name}; there are ${Object.keys(VALUES).join(', ')}.`);
    if (name === 'missingRecordType' && typeof value === 'string' && /^[a-z-]+$/.test(value)) return [name, value];
    const found = values.find((known) => String(known) === String(value));
    if (found === undefined) throw new RangeError(`The knob ${name} takes ${values.join(' or ')}, not ${String(value)}.`);
    return [name, found];
  });
  return Object.fromEntries(read) as Partial<SandboxKnobs>;
}
