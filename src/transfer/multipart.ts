import type { ByteSource } from '../deps.ts';

/** A part of a form: a text, or a file that is read while it is sent. */
export type FormPart =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly fileName: string; readonly mediaType: string; readonly source: ByteSource };

/** A form as the body of a request. */
export interface MultipartBody {
  readonly contentType: string;
  readonly source: ByteSource;
}

/**
 * A form as `multipart/form-data` (RFC 7578), of known length, its files read as they are sent. The same form with the same mark has the
 * same bytes, so that a service that compares them sees one request.
 *
 * @param mark Up to 60 letters and digits that no part holds: of a digest of what is in them.
 */
export function multipart(parts: readonly FormPart[], mark: string): MultipartBody {
  const boundary = `svc-${mark}`;
  const encoder = new TextEncoder();
  const heads = parts.map((part) => encoder.encode(`--${boundary}\r\n${headOf(part)}\r\n\r\n`));
  const bodies = parts.map((part): ByteSource | Uint8Array => ('source' in part ? part.source : encoder.encode(part.text)));
  const lineEnd = encoder.encode('\r\n');
  const end = encoder.encode(`--${boundary}--\r\n`);
  const size = parts.reduce((sum, _, index) => sum + (heads[index]?.length ?? 0) + sizeOf(bodies[index]) + lineEnd.length, end.length);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    source: {
      size,
      async *open() {
        for (const [index, head] of heads.entries()) {
          yield head;
          const body = bodies[index];
          if (body instanceof Uint8Array) yield body;
          else if (body !== undefined) yield* body.open();
          yield lineEnd;
        }
        yield end;
      },
    },
  };
}

function sizeOf(body: ByteSource | Uint8Array | undefined): number {
  if (body === undefined) return 0;
  return body instanceof Uint8Array ? body.length : body.size;
}

function headOf(part: FormPart): string {
  const disposition = `Content-Disposition: form-data; name="${escaped(part.name)}"`;
  if ('text' in part) return disposition;
  return `${disposition}; filename="${escaped(part.fileName)}"\r\nContent-Type: ${part.mediaType}`;
}

/** Names as browsers write them (WHATWG HTML, multipart/form-data encoding): UTF-8, with what would end them escaped. */
function escaped(name: string): string {
  return name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replaceAll('"', '%22');
}
