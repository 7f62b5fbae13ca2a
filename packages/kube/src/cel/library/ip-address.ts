import { Failure } from '../values/index.js';

/** An address as one number: masks and prefixes are then arithmetic. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
  readonly zone: string;
}

const NO_DIGITS = 'each colon-separated field must have at least one digit';

/** Go's netip.ParseAddr, with its words for what is wrong. */
export function parseAddress(text: string): IpAddress | Failure {
  const mark = /[.:%]/.exec(text)?.[0];
  if (mark === '.') return parse4(text, text);
  if (mark === ':') return parse6(text);
  return fail(text, mark === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

function fail(text: string, reason: string, at?: string): Failure {
  const where = at === undefined ? '' : ` (at ${JSON.stringify(at)})`;
  return new Failure(`ParseAddr(${JSON.stringify(text)}): ${reason}${where}`);
}

function parse4(whole: string, text: string): IpAddress | Failure {
  let value = 0n;
  const fields = text.split('.');
  for (const [index, field] of fields.entries()) {
    const bad = /[^0-9]/.exec(field);
    if (bad !== null)
      return fail(whole, 'unexpected character', text.slice(text.indexOf(field, index * 2) + bad.index));
    if (field === '') return fail(whole, 'IPv4 field must have at least one digit', text);
    if (field.length > 1 && field.startsWith('0')) return fail(whole, 'IPv4 field has octet with leading zero');
    if (Number(field) > 255) return fail(whole, 'IPv4 field has value >255');
    if (index > 3) return fail(whole, 'IPv4 address too long');
    value = value * 256n + BigInt(field);
  }
  return fields.length < 4 ? fail(whole, 'IPv4 address too short') : { family: 4, value, zone: '' };
}

interface Groups {
  readonly groups: number[];
  readonly ellipsis: number;
}

function parse6(text: string): IpAddress | Failure {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return fail(text, 'zone must be a non-empty string');
  const read = readGroups(text, percent < 0 ? text : text.slice(0, percent));
  if (read instanceof Failure) return read;
  const { groups, ellipsis } = read;
  if (groups.length < 8) {
    if (ellipsis < 0) return fail(text, 'address string too short');
    groups.splice(ellipsis, 0, ...Array.from({ length: 8 - groups.length }, () => 0));
  } else if (ellipsis >= 0) {
    return fail(text, 'the :: must expand to at least one field of zeros');
  }
  return { family: 6, value: groups.reduce((sum, group) => sum * 65_536n + BigInt(group), 0n), zone };
}

function readGroups(whole: string, text: string): Groups | Failure {
  const groups: number[] = [];
  let ellipsis = text.startsWith('::') ? 0 : -1;
  let rest = ellipsis === 0 ? text.slice(2) : text;
  while (rest !== '' && groups.length < 8) {
    const field = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (field.length > 4) return fail(whole, 'each group must have 4 or less digits', rest);
    if (field === '') return fail(whole, NO_DIGITS, rest);
    if (rest[field.length] === '.') return embedded(whole, rest, groups, ellipsis);
    groups.push(Number.parseInt(field, 16));
    const separator = readSeparator(whole, rest.slice(field.length), ellipsis >= 0);
    if (separator instanceof Failure) return separator;
    if (separator.isEllipsis) ellipsis = groups.length;
    rest = separator.rest;
  }
  return rest === '' ? { groups, ellipsis } : fail(whole, 'trailing garbage after address', rest);
}

function readSeparator(
  whole: string,
  text: string,
  hadEllipsis: boolean,
): { readonly rest: string; readonly isEllipsis: boolean } | Failure {
  if (text === '') return { rest: '', isEllipsis: false };
  if (!text.startsWith(':')) return fail(whole, 'unexpected character, want colon', text);
  if (text.length === 1) return fail(whole, 'colon must be followed by more characters', text);
  if (!text.startsWith('::')) return { rest: text.slice(1), isEllipsis: false };
  if (hadEllipsis) return fail(whole, 'multiple :: in address', text.slice(1));
  return { rest: text.slice(2), isEllipsis: true };
}

function embedded(whole: string, rest: string, groups: number[], ellipsis: number): Groups | Failure {
  if (ellipsis < 0 && groups.length !== 6)
    return fail(whole, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
  if (groups.length > 6)
    return fail(whole, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  const last = parse4(whole, rest);
  if (last instanceof Failure) return last;
  groups.push(Number(last.value >> 16n), Number(last.value & 0xffffn));
  return { groups, ellipsis };
}

export function formatAddress(address: IpAddress): string {
  if (address.family === 4) return [24n, 16n, 8n, 0n].map((shift) => (address.value >> shift) & 255n).join('.');
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
  return address.family === 6 && address.value >> 32n === 0xffffn;
}

/** The address with all bits behind the prefix cleared. */
export function mask(address: IpAddress, bits: number): IpAddress {
  const width = BigInt(address.family === 4 ? 32 : 128);
  const shift = width - BigInt(bits);
  return { ...address, value: (address.value >> shift) << shift };
}

export function inNetwork(address: IpAddress, network: string, bits: number): boolean {
  const parsed = parseAddress(network);
  if (parsed instanceof Failure || parsed.family !== address.family) return false;
  return mask(address, bits).value === parsed.value;
}
