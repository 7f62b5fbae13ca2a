export interface PemBlock {
  readonly label: string;
  readonly der: Uint8Array;
  /** RFC 1421 headers (`Proc-Type: …`) stood between the label and the data. */
  readonly hasHeaders: boolean;
}

// Line by line rather than one expression over the text: hostile input must not make matching more than linear.
const beginLine = /^-----BEGIN ([A-Z0-9][A-Z0-9 ]{0,63})-----$/;
const base64Line = /^[A-Za-z0-9+/=]*$/;
const headerLine = /^[A-Za-z0-9-]{1,64}:/;

/** All blocks of a PEM text. What stands between blocks, and blocks that never end or do not decode, are skipped. */
export function decodePem(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const label = beginLine.exec(lines[index]?.trim() ?? '')?.[1];
    if (label === undefined) continue;
    let end = index + 1;
    while (end < lines.length && !lines[end]?.startsWith('-----')) end += 1;
    const block =
      lines[end]?.trim() === `-----END ${label}-----` ? decodeBody(label, lines.slice(index + 1, end)) : undefined;
    if (block === undefined) continue;
    blocks.push(block);
    index = end;
  }
  return blocks;
}

function decodeBody(label: string, lines: readonly string[]): PemBlock | undefined {
  const body: string[] = [];
  let hasHeaders = false;
  for (const raw of lines) {
    const line = raw.trim();
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
