import { gunzipSync, gzipSync } from 'node:zlib';

/** Size from which texts are compressed, as in upstream. Smaller texts stay readable. */
const compressFromBytes = 1_048_576;
/**
 * Maximum size of one part. The API server accepts 1 MiB of data and etcd 1.5 MiB in a request, where base64 makes the data of a
 * Secret a third longer.
 */
const partBytesMax = 768 * 1024;

/** A stored text: plain, or compressed and split into parts if it does not fit into one object. */
export type PackedText =
  | { readonly compressed: false; readonly text: string }
  | { readonly compressed: true; readonly parts: readonly Buffer[] };

/** Compresses and splits a text if necessary. `beside` is the size of other data in the same object. */
export function packText(text: string, beside = 0): PackedText {
  if (Buffer.byteLength(text) + beside <= compressFromBytes) return { compressed: false, text };
  const bytes = gzipSync(text, { level: 9 });
  const count = Math.max(1, Math.ceil(bytes.length / partBytesMax));
  const parts = Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * partBytesMax, (index + 1) * partBytesMax),
  );
  return { compressed: true, parts };
}

export function unpackParts(parts: readonly Buffer[]): string {
  return gunzipSync(Buffer.concat(parts)).toString('utf8');
}

/** Index and number of parts, such as `2/3`. */
export interface PartMark {
  readonly index: number;
  readonly count: number;
}

export function formatPart({ index, count }: PartMark): string {
  return `${index}/${count}`;
}

export function parsePart(text: string | undefined): PartMark | undefined {
  const [, index, count] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text ?? '') ?? [];
  return index === undefined ? undefined : { index: Number(index), count: Number(count) };
}
