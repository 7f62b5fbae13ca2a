import { gunzipSync, gzipSync } from 'node:zlib';

/** From here on upstream compresses; what is smaller stays readable. */
const compressFromBytes = 1_048_576;
/**
 * What goes into one object. The API server takes 1 MiB of data, etcd 1.5 MiB of a whole request, in which a Secret's data is
 * a third longer.
 */
const partBytesMax = 768 * 1024;

/** A text as it is stored: as it is, or compressed and, should that still be too much for one object, in parts. */
export type PackedText =
  | { readonly compressed: false; readonly text: string }
  | { readonly compressed: true; readonly parts: readonly Buffer[] };

/** `beside`: how much else is stored in the same object. */
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

/** `2/3`, as parts are marked. */
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
