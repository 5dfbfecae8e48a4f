import { abilitiesFor } from '../catalog/rules.ts';
import { defineCommand, type Options, type OptionValues, parsed, repeated, text, toggle } from '../cli/spec.ts';
import type { ApiRequest, ApiResponse } from '../client/api-client.ts';
import { requestCost } from '../client/cost.ts';
import { requestUrl } from '../client/origin.ts';
import { pages } from '../client/pages.ts';
import { UnavailableError, UsageError } from '../errors.ts';
import { sendAny } from '../records/any-request.ts';
import { confirm } from '../session/confirm.ts';
import type { Context, Needs } from '../session/context.ts';
import { requireService } from '../session/offline.ts';
import { printJq, printRecord } from '../session/print.ts';
import { plainLine } from '../values/hidden-characters.ts';
import { isJsonObject, isTooDeep, type JsonValue, stringifyJson } from '../values/json.ts';
import { parseIdempotencyKey } from '../values/request-headers.ts';
import { type ReadingBody, readTypedBody } from './api-body.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const OPTIONS = {
  method: text('-X, --method <method>', 'Use this method (default: GET, or POST with fields or input)', { completes: { values: METHODS } }),
  rawField: repeated('-f, --raw-field <name=value>', 'Add a field with this string, without conversion'),
  field: repeated('-F, --field <name=value>', 'Add a field: true, false, null and whole numbers become JSON; @file reads a file', {
    completes: 'at-file',
  }),
  header: repeated('-H, --header <name: value>', 'Add a request header', { withheld: withoutValue }),
  include: toggle('-i, --include', 'Print the status and the headers of the answer too'),
  form: toggle('--form', 'Send fields as multipart/form-data; -F name=@file sends the file itself'),
  input: text('--input <file>', 'Send this file as the body; - reads standard input', { type: 'file', completes: 'file' }),
  paginate: toggle('--paginate', 'Read every page, and print each'),
  slurp: toggle('--slurp', 'Print all pages as one array (with --paginate)'),
  silent: toggle('--silent', 'Leave out the body'),
  idempotencyKey: parsed(
    '--idempotency-key <k>',
    'Send this Idempotency-Key; the service runs one request with this key',
    parseIdempotencyKey,
  ),
} as const satisfies Options;

type ApiOptions = OptionValues<typeof OPTIONS>;

export const api = defineCommand({
  description:
    'svc sends a request to the API of your organisation, and prints the body of the answer unchanged. The path is relative to /api/v2. Fields become the query of a GET, and the JSON body of other methods. Write a field of an object as a[b], and an item of a list as a[]. svc prints the body of an error too, and exits with the exit code for that error.\n\nWith --form, or a Content-Type of multipart/form-data, svc sends fields as a form. -F name=@file then sends the file itself. svc treats a form with a file, and --input with a Content-Type other than JSON, as an upload. Uploads use your personal access token. For uploads, and for answers other than JSON, --timeout limits the pause between two parts.',
  args: [
    { name: 'method', summary: 'GET, POST, PATCH or DELETE (default: see --method)', optional: true },
    { name: 'path', summary: 'The path, such as /worklogs or "/users?per_page=5"', optional: true },
  ],
  options: OPTIONS,
  examples: [
    { args: 'api /me', does: 'Show your own user record' },
    { args: 'api POST /worklogs -F minutes=90 -f description="Review"', does: 'Log hours' },
    { args: 'api POST /work-items/ABC-12/uploads --form -F file=@screen.png', does: 'Send a file in a form' },
    { args: `api --paginate --slurp "/users?per_page=100" --jq 'map(.data) | add | length'`, does: 'Count all users' },
  ],
  async run(context: Context, { args, options }) {
    await requireService(context, 'svc api prints answers of the service');
    const { method, path } = readTarget(args, options);
    // A pasted address can contain a password, so svc refuses an invalid address before the journal stores the address.
    requestUrl(await context.host(), path);
    if (options.slurp && !options.paginate)
      throw new UsageError('--slurp needs --paginate.', { hint: 'Add --paginate, or leave out --slurp.' });
    if (options.paginate && method !== 'GET')
      throw new UsageError('You can use --paginate only with GET.', { hint: 'Leave out --paginate.' });
    const { request, shown, close } = await readRequest(context, method, path, options);
    try {
      if (context.globals.dryRun && method !== 'GET') return await printDryRun(context, request, shown);
      if (method === 'DELETE' && context.plan === undefined)
        await confirm(context, {
          question: `Delete ${plainLine(path, 100)}? svc cannot undo a delete.`,
          unasked: 'svc asks before a delete, and cannot ask here.',
          declined: 'svc deleted nothing.',
        });
      if (options.paginate) await printPages(context, request, options);
      else {
        const { stdout } = context.stdio;
        const asItComes = method === 'GET' && !options.include && !options.silent && context.globals.jq === undefined && !stdout.isTTY;
        const response = await sendAny(context, request, asItComes ? (piece) => stdout.writeData(piece) : undefined);
        await printResponse(context, response, options);
        if (response.error !== undefined) throw response.error;
      }
    } finally {
      await close();
    }
  },
});

function readTarget(args: readonly string[], options: ApiOptions): { readonly method: string; readonly path: string } {
  const [first = '', second] = args;
  const named = METHODS.includes(first.toUpperCase()) && second !== undefined;
  const path = named ? second : first;
  if (path === '' || METHODS.includes(path) || (!named && second !== undefined))
    throw new UsageError('"svc api" needs a path.', { hint: 'For example: svc api /me' });
  if (named && options.method !== undefined)
    throw new UsageError('The command names two methods.', { hint: 'Use -X or the first word, not both.' });
  const typed = (named ? first : options.method)?.toUpperCase();
  if (typed !== undefined && !METHODS.includes(typed))
    throw new UsageError(`svc does not know the method "${typed}".`, { hint: `Allowed: ${METHODS.join(', ')}.` });
  const writes = options.input !== undefined || options.field !== undefined || options.rawField !== undefined;
  return { method: typed ?? (writes ? 'POST' : 'GET'), path };
}

async function readRequest(context: Needs<ReadingBody>, method: string, path: string, options: ApiOptions) {
  const headers = readHeaders(options.header ?? []);
  const { body, query, upload, shown, close, ownsType } = await readTypedBody(context, method, headers, options);
  const sent = Object.entries(headers).filter(([name]) => !ownsType || name.toLowerCase() !== 'content-type');
  const request: ApiRequest = {
    method,
    path,
    upload,
    ...(query !== undefined && { query: Object.entries(query).flatMap(([name, value]) => queryPairs(name, value)) }),
    headers: Object.fromEntries(sent),
    ...(body !== undefined && { body }),
    ...(options.idempotencyKey !== undefined && { idempotencyKey: options.idempotencyKey }),
  };
  return { request, shown, close };
}

/** Converts a field to query parameters. A nested field becomes `filter[start][gte]`. A list becomes one value with commas. */
function queryPairs(name: string, value: JsonValue): [string, string][] {
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, inner]) => queryPairs(`${name}[${key}]`, inner));
  if (Array.isArray(value))
    return [[name, value.map((entry: JsonValue) => (typeof entry === 'string' ? entry : stringifyJson(entry))).join(',')]];
  return [[name, typeof value === 'string' ? value : stringifyJson(value)]];
}

/** Replaces the value of a header with an ellipsis, because the value can be a secret. */
function withoutValue(header: string): string {
  const [, name = ''] = /^([!#$%&'*+.^_`|~\w-]+:\s*)/.exec(header) ?? [];
  return `${name}…`;
}

function readHeaders(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((header) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\t\x20-\x7e]*)$/.exec(header) ?? [];
      if (name === undefined || value === undefined)
        throw new UsageError(`-H: svc cannot read the header "${withoutValue(header)}".`, {
          hint: 'Write "Name: value". svc stores and shows no value of a header, so type the value again.',
        });
      if (name.toLowerCase() === 'authorization')
        throw new UsageError('-H: svc sets Authorization itself.', { hint: 'To use another token, set SVC_TOKEN.' });
      return [name, value];
    }),
  );
}

async function printPages(context: Context, request: ApiRequest, options: ApiOptions): Promise<void> {
  const collect = options.slurp === true;
  const bodies: string[] = [];
  for await (const { response } of pages(await context.client(), request)) {
    if (collect) bodies.push(response.text());
    else await printResponse(context, response, options);
  }
  if (collect && !options.silent) await printBody(context, `[${bodies.join(',')}]`, context.globals.jq);
}

async function printResponse(context: Context, response: ApiResponse, options: ApiOptions): Promise<void> {
  if (options.include) {
    const lines = [`HTTP ${response.status}`, ...Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`)];
    await context.stdio.stdout.write(`${lines.join('\n')}\n\n`);
  }
  // The expression of --jq is for data. svc therefore prints the body of an error unchanged.
  if (!options.silent) await printBody(context, response.text(), response.error === undefined ? context.globals.jq : undefined);
}

async function printBody(context: Context, body: string, jq: string | undefined): Promise<void> {
  const { stdout } = context.stdio;
  if (body === '') return;
  if (jq !== undefined && isTooDeep(body))
    throw new UnavailableError('The service answered with JSON that is nested deeper than svc reads.', {
      hint: 'Leave out --jq to print the body unchanged.',
    });
  if (jq !== undefined) return printJq(context, body);
  await stdout.writeData(body.endsWith('\n') ? body : `${body}\n`);
}

async function printDryRun(context: Context, request: ApiRequest, body: JsonValue | undefined): Promise<void> {
  const noun = /^\/?(?:api\/v2\/)?([a-z-]+)/.exec(request.path)?.[1];
  const resource = noun === undefined ? undefined : await context.catalog.find(noun);
  const url = requestUrl(await context.host(), request.path, request.query);
  const units = requestCost({ method: request.method, query: [...new URL(url).searchParams] });
  await printRecord(context, {
    method: request.method,
    url,
    headers: {
      ...request.headers,
      ...(request.body !== undefined &&
        'source' in request.body && { 'Content-Type': request.body.contentType.replace(/; boundary=.*$/, '') }),
    },
    ...(body !== undefined && { body }),
    cost: request.method === 'HEAD' ? { read: units } : { write: units, read: 1 },
    ...(resource !== undefined && { ability: abilitiesFor(resource, request.method).join(' or ') }),
  });
}
