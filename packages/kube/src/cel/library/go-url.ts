import { parseZonedIp } from '../../text/ip-address.js';
import { Failure } from '../values/index.js';

/** A URL parsed like Go's net/url. WHATWG parsers accept other URLs and rewrite them. */
export interface GoUrl {
  readonly scheme: string;
  readonly userInfo: string;
  readonly host: string;
  /** The path in its original, escaped form. */
  readonly path: string;
  readonly opaque: string;
  readonly query: string;
  readonly fragment: string;
}

/** Parses like `url.ParseRequestURI`: an absolute URI or an absolute path. */
export function parseRequestUri(text: string): GoUrl | Failure {
  const strict = parseUrl(text, true);
  if (strict instanceof Failure) return strict;
  const hash = text.indexOf('#');
  if (hash < 0) return strict;
  const parsed = parseUrl(text.slice(0, hash), false);
  return parsed instanceof Failure ? parsed : { ...parsed, fragment: text.slice(hash + 1) };
}

function fail(text: string, reason: string): Failure {
  const shown = JSON.stringify(text).replace(/\\u00([0-9a-f]{2})/g, '\\x$1');
  return new Failure(`parse ${shown}: ${reason}`);
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}

const EMPTY: GoUrl = { scheme: '', userInfo: '', host: '', path: '', opaque: '', query: '', fragment: '' };

function parseUrl(text: string, viaRequest: boolean): GoUrl | Failure {
  const problem = textProblem(text, viaRequest);
  if (problem !== undefined) return fail(text, problem);
  if (text === '*') return { ...EMPTY, path: '*' };
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? '';
  const behind = scheme === '' ? text : text.slice(scheme.length + 1);
  const question = behind.indexOf('?');
  const query = question < 0 ? '' : behind.slice(question + 1);
  const rest = question < 0 ? behind : behind.slice(0, question);
  const base: GoUrl = { ...EMPTY, scheme: scheme.toLowerCase(), query };
  if (scheme !== '' && !rest.startsWith('/')) return { ...base, opaque: rest };
  const relative = rest.startsWith('/') ? undefined : relativeProblem(rest, viaRequest);
  if (relative !== undefined) return fail(text, relative);
  const mayHaveAuthority = scheme !== '' || (!viaRequest && !rest.startsWith('///'));
  return finish(text, base, rest, mayHaveAuthority && rest.startsWith('//'));
}

function textProblem(text: string, viaRequest: boolean): string | undefined {
  if (hasControl(text)) return 'net/url: invalid control character in URL';
  if (text === '' && viaRequest) return 'empty url';
  return text.startsWith(':') ? 'missing protocol scheme' : undefined;
}

function relativeProblem(rest: string, viaRequest: boolean): string | undefined {
  if (viaRequest) return 'invalid URI for request';
  const [first = ''] = rest.split('/', 1);
  return first.includes(':') ? 'first path segment in URL cannot contain colon' : undefined;
}

function finish(text: string, base: GoUrl, rest: string, hasAuthority: boolean): GoUrl | Failure {
  const [, authority = '', path = ''] = hasAuthority ? (/^\/\/([^/]*)(.*)$/s.exec(rest) ?? []) : [rest, '', rest];
  const at = authority.lastIndexOf('@');
  const userInfo = at < 0 ? '' : authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userInfo)) return fail(text, 'net/url: invalid userinfo');
  const problem = hostProblem(authority.slice(at + 1)) ?? escapeProblem(path) ?? escapeProblem(userInfo);
  if (problem !== undefined) return fail(text, problem);
  return { ...base, userInfo, host: authority.slice(at + 1), path };
}

function hostProblem(host: string): string | undefined {
  if (host.startsWith('[')) return literalProblem(host);
  if (host.includes('[')) return 'invalid IP-literal';
  const colon = host.indexOf(':');
  return portProblem(colon < 0 ? '' : host.slice(colon)) ?? hostNameProblem(host);
}

/** Returns the problem of a host in brackets, which must be an IPv6 address. */
function literalProblem(host: string): string | undefined {
  const close = host.lastIndexOf(']');
  if (close < 0) return "missing ']' in host";
  const problem = portProblem(host.slice(close + 1)) ?? hostNameProblem(host);
  if (problem !== undefined) return problem;
  try {
    const { family } = parseZonedIp(host.slice(1, close).replace('%25', '%'));
    return family === 'IPv4' ? 'invalid IP-literal' : undefined;
  } catch (error) {
    return `invalid host: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function portProblem(port: string): string | undefined {
  return /^(:[0-9]*)?$/.test(port) ? undefined : `invalid port ${JSON.stringify(port)} after host`;
}

function hostNameProblem(host: string): string | undefined {
  const escape = /%(?!25)[\s\S]{0,2}/.exec(host);
  if (escape !== null) return `invalid URL escape ${JSON.stringify(escape[0])}`;
  const bad = /[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/u.exec(host);
  return bad === null ? undefined : `invalid character ${JSON.stringify(bad[0])} in host name`;
}

function escapeProblem(text: string): string | undefined {
  const bad = /%(?![0-9a-fA-F]{2})[\s\S]{0,2}/.exec(text);
  return bad === null ? undefined : `invalid URL escape ${JSON.stringify(bad[0])}`;
}

export function hostname(url: GoUrl): string {
  const bracketed = /^\[(.*)\]/.exec(url.host)?.[1];
  return bracketed ?? url.host.replace(/:[0-9]*$/, '');
}

export function port(url: GoUrl): string {
  return /:([0-9]*)$/.exec(url.host.replace(/^\[.*\]/, ''))?.[1] ?? '';
}

/** Returns the original path if its encoding is valid, otherwise a new encoding. */
export function escapedPath(url: GoUrl): string {
  if (/^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@[\]/]|%[0-9a-fA-F]{2})*$/.test(url.path)) return url.path;
  const bytes = percentDecode(url.path);
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    const isKept = byte < 0x80 && /[A-Za-z0-9\-._~$&+,/:;=@]/.test(character);
    return isKept ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

function percentDecode(text: string): Uint8Array {
  const parts = text.split(/(%[0-9a-fA-F]{2})/);
  return Buffer.concat(
    parts.map((part) =>
      /^%[0-9a-fA-F]{2}$/.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part, 'utf8'),
    ),
  );
}

/** Returns the query values by key, in their order. Like `URL.Query()`, omits malformed pairs. */
export function queryValues(url: GoUrl): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const pair of url.query.split('&')) {
    if (pair === '' || pair.includes(';') || escapeProblem(pair) !== undefined) continue;
    const equals = pair.indexOf('=');
    const key = decodeQuery(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodeQuery(pair.slice(equals + 1));
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

function decodeQuery(text: string): string {
  return Buffer.from(percentDecode(text.replaceAll('+', ' '))).toString('utf8');
}
