export interface DerElement {
  readonly tag: number;
  /** Tag, length and content. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** The elements that stand one after another in `bytes`. Definite lengths only, as DER has it; throws on anything else. */
export function readDer(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const element = readElement(bytes, offset);
    elements.push(element);
    offset += element.whole.length;
  }
  return elements;
}

function readElement(bytes: Buffer, offset: number): DerElement {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  if (tag === undefined || first === undefined) throw new TypeError('truncated DER');
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || lengthBytes > 4) throw new TypeError('unsupported DER length');
  const start = offset + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : readLength(bytes, offset + 2, lengthBytes);
  const end = start + length;
  if (end > bytes.length) throw new TypeError('truncated DER');
  return { tag, whole: bytes.subarray(offset, end), content: bytes.subarray(start, end) };
}

function readLength(bytes: Buffer, offset: number, count: number): number {
  if (offset + count > bytes.length) throw new TypeError('truncated DER');
  return bytes.readUIntBE(offset, count);
}
