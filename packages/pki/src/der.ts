export interface DerElement {
  readonly tag: number;
  /** The complete encoding: tag, length and content. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** Splits `bytes` into consecutive elements. Accepts definite lengths only, as DER requires; throws otherwise. */
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

/** Encodes one element whose content is the concatenation of `contents`. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOctets(content.length)]), content]);
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) octets.unshift(rest & 0xff);
  return [0x80 | octets.length, ...octets];
}

/** Encodes an OBJECT IDENTIFIER from its dotted form. */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const octets = [40 * first + second, ...rest].flatMap((arc) => {
    const digits = [arc % 0x80];
    for (let above = Math.floor(arc / 0x80); above > 0; above = Math.floor(above / 0x80))
      digits.unshift((above % 0x80) | 0x80);
    return digits;
  });
  return der(0x06, Buffer.from(octets));
}

/** Decodes the content of an OBJECT IDENTIFIER to its dotted form. */
export function readObjectIdentifier(content: Uint8Array): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const octet of content) {
    arc = arc * 0x80 + (octet & 0x7f);
    if ((octet & 0x80) !== 0) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first = 0, ...rest] = arcs;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - 40 * root, ...rest].join('.');
}
