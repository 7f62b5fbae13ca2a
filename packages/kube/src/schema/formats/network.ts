import { tryParseCidr } from '../../text/cidr.js';
import { tryParseIp } from '../../text/ip-address.js';

/**
 * Returns whether the text is a dotted quad, with leading zeros allowed. Like upstream, also accepts IPv6 with an IPv4 suffix.
 */
export function isIpv4(text: string): boolean {
  return text.includes('.') && tryParseIp(withoutLeadingZeros(text)) !== undefined;
}

export function isIpv6(text: string): boolean {
  return text.includes(':') && tryParseIp(withoutLeadingZeros(text)) !== undefined;
}

export function isCidr(text: string): boolean {
  return tryParseCidr(withoutLeadingZeros(text)) !== undefined;
}

const leadingZeros = /(^|[.:])0{1,20}(?=[0-9]{1,3}(?:[./]|$))/g;

/**
 * Removes leading zeros from octets. Upstream parses addresses in these formats like Go before 1.17: `010.0.0.01` is 10.0.0.1.
 */
function withoutLeadingZeros(text: string): string {
  return text.includes('.') ? text.replace(leadingZeros, '$1') : text;
}

// Lengths of EUI-48, EUI-64 and 20-octet InfiniBand addresses. They are written in octets or in groups of two octets.
const macOctets = new Set([6, 8, 20]);

export function isMac(text: string): boolean {
  if (/^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text)) return macOctets.has(((text.length + 1) / 5) * 2);
  if (/^[0-9a-fA-F]{12,40}$/.test(text)) return macOctets.has(text.length / 2);
  const separator = text[2];
  if (separator !== ':' && separator !== '-') return false;
  const octets = text.split(separator);
  return macOctets.has(octets.length) && octets.every((octet) => /^[0-9a-fA-F]{2}$/.test(octet));
}

const hostnameLengthMax = 255;
const hostname =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[-a-zA-Z0-9\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;

export function isHostname(text: string): boolean {
  // Check the length first, because it limits the work of the regular expression.
  if (byteLength(text) > hostnameLengthMax || !hostname.test(text)) return false;
  return text.split('.').every((label) => byteLength(label) <= 63);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

const emailLengthMax = 4096;
const atext = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~\\u0080-\\u{10ffff}]";
const quotedText = '"(?:[^"\\\\\\r\\n]|\\\\[\\t -~])*"';
const dotAtom = `${atext}+(?:\\.${atext}+)*`;
const address = `(?:${dotAtom}|${quotedText})@(?:${dotAtom}|\\[[^\\[\\]\\\\\\r\\n]*\\])`;
const bareAddress = new RegExp(`^${address}$`, 'u');
const displayName = new RegExp(`^(?:(?:${atext}|[ \\t.])*|[ \\t]*${quotedText}[ \\t]*)$`, 'u');

/** An RFC 5322 address: `a@b` or `Name <a@b>`, optionally followed by a comment. */
export function isEmail(text: string): boolean {
  if (text.length > emailLengthMax) return false;
  const trimmed = text.replace(/\([^()]*\)\s*$/, '').trim();
  if (bareAddress.test(trimmed)) return true;
  const open = trimmed.lastIndexOf('<');
  if (open < 0 || !trimmed.endsWith('>')) return false;
  return displayName.test(trimmed.slice(0, open)) && bareAddress.test(trimmed.slice(open + 1, -1));
}

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** An absolute URI or an absolute path, as in an HTTP request line. */
export function isRequestUri(text: string): boolean {
  if (text === '' || hasControlCharacter(text)) return false;
  if (text === '*') return true;
  const found = scheme.exec(text);
  const rest = found === null ? text : text.slice(found[0].length);
  return rest.startsWith('/') ? isHierarchical(rest, found !== null) : found !== null;
}

/** Returns whether the text is `//authority/path` or `/path`. Without a scheme, `///path` has no authority. */
function isHierarchical(text: string, hasScheme: boolean): boolean {
  const [beforeQuery = ''] = text.split('?', 1);
  const hasAuthority = text.startsWith('//') && (hasScheme || !text.startsWith('///'));
  if (!hasAuthority) return escapesValid(beforeQuery);
  const [authority = '', ...path] = beforeQuery.slice(2).split('/');
  return isAuthority(authority) && escapesValid(path.join('/'));
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function escapesValid(text: string): boolean {
  return !/%(?![0-9a-fA-F]{2})/.test(text);
}

function isAuthority(text: string): boolean {
  const at = text.lastIndexOf('@');
  const user = at < 0 ? '' : text.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || !escapesValid(user)) return false;
  const host = text.slice(at + 1);
  if (host.startsWith('[')) return /^\[[^\]]*\](?::\d*)?$/.test(host);
  const [name = '', port = '', ...more] = host.split(':');
  return more.length === 0 && /^\d*$/.test(port) && !/[\s"<>\\^`{|}%]/.test(name);
}
