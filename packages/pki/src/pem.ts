export interface PemBlock {
  readonly label: string;
  readonly der: Uint8Array;
  /** True if RFC 1421 headers (`Proc-Type: …`) precede the data. */
  readonly hasHeaders: boolean;
}

// Parse line by line rather than with one regular expression, so that hostile input takes linear time.
const beginLine = /^-----BEGIN ([A-Z0-9][A-Z0-9 ]{0,63})-----$/;
const base64Line = /^[A-Za-z0-9+/=]*$/;
const headerLine = /^[A-Za-z0-9-]{1,64}:/;

/** Decodes all PEM blocks. Skips text between blocks and blocks that are unterminated or do not decode. */
export function decodePem(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  const lines = text.split('\n').map((line) => line.trim());
  let start = 0;
  while (start < lines.length) {
    const label = beginLine.exec(lines[start] ?? '')?.[1];
    const end = label === undefined ? start : nextMarker(lines, start + 1);
    const block =
      label !== undefined && lines[end] === `-----END ${label}-----`
        ? decodeBody(label, lines.slice(start + 1, end))
        : undefined;
    if (block !== undefined) blocks.push(block);
    // A marker line that does not end this block may begin the next one.
    start = block === undefined ? Math.max(end, start + 1) : end + 1;
  }
  return blocks;
}

function nextMarker(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && lines[at]?.startsWith('-----') !== true) at += 1;
  return at;
}

function decodeBody(label: string, lines: readonly string[]): PemBlock | undefined {
  const body: string[] = [];
  let hasHeaders = false;
  for (const line of lines) {
    if (headerLine.test(line)) hasHeaders = true;
    else if (base64Line.test(line)) body.push(line);
    else return undefined;
  }
  return { label, der: Buffer.from(body.join(''), 'base64'), hasHeaders };
}

export function encodePem(label: string, der: Uint8Array): string {
  const base64 = Buffer.from(der.buffer, der.byteOffset, der.byteLength).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
