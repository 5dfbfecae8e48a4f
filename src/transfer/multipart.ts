import type { ByteSource } from '../deps.ts';

export type FormPart =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly fileName: string; readonly mediaType: string; readonly source: ByteSource };

export interface MultipartBody {
  readonly contentType: string;
  readonly source: ByteSource;
}

/**
 * Returns a form as `multipart/form-data` (RFC 7578) with a known length. Reads files during the upload.
 * The same form with the same mark has the same bytes, so a service that compares requests finds no difference.
 * @param mark up to 60 letters and digits that no part contains, from a digest of the parts.
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

/** Escapes names as browsers do (WHATWG HTML, multipart/form-data encoding): UTF-8, without characters that would end a name. */
function escaped(name: string): string {
  return name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replaceAll('"', '%22');
}
