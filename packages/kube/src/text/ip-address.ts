export type IpFamily = 'IPv4' | 'IPv6';

/** An IP address as one number, so that masks and ranges are arithmetic. */
export interface IpAddress {
  readonly family: IpFamily;
  readonly value: bigint;
}

const noDigits = 'each colon-separated field must have at least one digit';

/** Parses an address like Go's netip.ParseAddr, with its error messages. The zone is '' for an address without one. */
export function parseZonedIp(text: string): IpAddress & { readonly zone: string } {
  const mark = /[.:%]/.exec(text)?.[0];
  if (mark === '.') return { ...parse4(text, text), zone: '' };
  if (mark === ':') return parse6(text);
  throw invalidAddress(text, mark === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

const textLengthMax = 45;

/** Parses IPv4 without leading zeros or IPv6 without a zone. Returns undefined for anything else. */
export function tryParseIp(text: string): IpAddress | undefined {
  if (text.length > textLengthMax) return undefined;
  try {
    const { family, value, zone } = parseZonedIp(text);
    return zone === '' ? { family, value } : undefined;
  } catch {
    return undefined;
  }
}

export function isIp(text: string): boolean {
  return tryParseIp(text) !== undefined;
}

function invalidAddress(text: string, reason: string, at?: string): Error {
  const where = at === undefined ? '' : ` (at ${JSON.stringify(at)})`;
  return new Error(`ParseAddr(${JSON.stringify(text)}): ${reason}${where}`);
}

function parse4(whole: string, text: string): IpAddress {
  let value = 0n;
  const fields = text.split('.');
  for (const [index, field] of fields.entries()) {
    const bad = /[^0-9]/.exec(field);
    if (bad !== null)
      throw invalidAddress(whole, 'unexpected character', text.slice(text.indexOf(field, index * 2) + bad.index));
    if (field === '') throw invalidAddress(whole, 'IPv4 field must have at least one digit', text);
    if (field.length > 1 && field.startsWith('0'))
      throw invalidAddress(whole, 'IPv4 field has octet with leading zero');
    if (Number(field) > 255) throw invalidAddress(whole, 'IPv4 field has value >255');
    if (index > 3) throw invalidAddress(whole, 'IPv4 address too long');
    value = value * 256n + BigInt(field);
  }
  if (fields.length < 4) throw invalidAddress(whole, 'IPv4 address too short');
  return { family: 'IPv4', value };
}

interface Groups {
  readonly groups: number[];
  /** The index of the group after `::`, or -1 if there is none. */
  readonly ellipsis: number;
}

function parse6(text: string): IpAddress & { readonly zone: string } {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') throw invalidAddress(text, 'zone must be a non-empty string');
  const { groups, ellipsis } = readGroups(text, percent < 0 ? text : text.slice(0, percent));
  if (groups.length < 8) {
    if (ellipsis < 0) throw invalidAddress(text, 'address string too short');
    groups.splice(ellipsis, 0, ...Array.from({ length: 8 - groups.length }, () => 0));
  } else if (ellipsis >= 0) {
    throw invalidAddress(text, 'the :: must expand to at least one field of zeros');
  }
  return { family: 'IPv6', value: groups.reduce((sum, group) => sum * 65_536n + BigInt(group), 0n), zone };
}

function readGroups(whole: string, text: string): Groups {
  const groups: number[] = [];
  let ellipsis = text.startsWith('::') ? 0 : -1;
  let rest = ellipsis === 0 ? text.slice(2) : text;
  while (rest !== '' && groups.length < 8) {
    const field = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (field.length > 4) throw invalidAddress(whole, 'each group must have 4 or less digits', rest);
    if (field === '') throw invalidAddress(whole, noDigits, rest);
    if (rest[field.length] === '.') return embedded(whole, rest, groups, ellipsis);
    groups.push(Number.parseInt(field, 16));
    const separator = readSeparator(whole, rest.slice(field.length), ellipsis >= 0);
    if (separator.isEllipsis) ellipsis = groups.length;
    rest = separator.rest;
  }
  if (rest !== '') throw invalidAddress(whole, 'trailing garbage after address', rest);
  return { groups, ellipsis };
}

function readSeparator(
  whole: string,
  text: string,
  hadEllipsis: boolean,
): { readonly rest: string; readonly isEllipsis: boolean } {
  if (text === '') return { rest: '', isEllipsis: false };
  if (!text.startsWith(':')) throw invalidAddress(whole, 'unexpected character, want colon', text);
  if (text.length === 1) throw invalidAddress(whole, 'colon must be followed by more characters', text);
  if (!text.startsWith('::')) return { rest: text.slice(1), isEllipsis: false };
  if (hadEllipsis) throw invalidAddress(whole, 'multiple :: in address', text.slice(1));
  return { rest: text.slice(2), isEllipsis: true };
}

function embedded(whole: string, rest: string, groups: number[], ellipsis: number): Groups {
  if (ellipsis < 0 && groups.length !== 6)
    throw invalidAddress(whole, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
  if (groups.length > 6)
    throw invalidAddress(whole, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  const last = parse4(whole, rest);
  groups.push(Number(last.value >> 16n), Number(last.value & 0xffffn));
  return { groups, ellipsis };
}

/** Formats IPv6 in its shortest form (RFC 5952). */
export function formatIp(address: IpAddress): string {
  if (address.family === 'IPv4') return [24n, 16n, 8n, 0n].map((shift) => (address.value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_group, index) =>
    Number((address.value >> BigInt(112 - index * 16)) & 0xffffn),
  );
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start += 1) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length += 1;
    if (length > best.length) best = { start, length };
  }
  const hex = groups.map((group) => group.toString(16));
  if (best.start < 0) return hex.join(':');
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`;
}

export function isMapped4(address: IpAddress): boolean {
  return address.family === 'IPv6' && address.value >> 32n === 0xffffn;
}

export function isUnspecified(address: IpAddress): boolean {
  return address.value === 0n;
}

export function isLoopback(address: IpAddress): boolean {
  return address.family === 'IPv4' ? address.value >> 24n === 127n : address.value === 1n;
}

/** Returns whether the address is in 169.254.0.0/16 or fe80::/10. */
export function isLinkLocalUnicast(address: IpAddress): boolean {
  return address.family === 'IPv4' ? address.value >> 16n === 0xa9fen : address.value >> 118n === 0x3fan;
}

/** Returns whether the address is in 224.0.0.0/24, or in ffx2::/16 with any flags. */
export function isLinkLocalMulticast(address: IpAddress): boolean {
  if (address.family === 'IPv4') return address.value >> 8n === 0xe0_0000n;
  return address.value >> 120n === 0xffn && ((address.value >> 112n) & 0x0fn) === 0x02n;
}

/** Returns whether the address is in 224.0.0.0/4 or ff00::/8. */
export function isMulticast(address: IpAddress): boolean {
  return address.family === 'IPv4' ? address.value >> 28n === 0xen : address.value >> 120n === 0xffn;
}
