import type { CelType } from '../types/index.js';
import { namedType } from '../types/index.js';
import type { Value } from '../values/index.js';
import { ArrayList, EntryMap, Failure, noSuchOverload, Opaque } from '../values/index.js';
import type { Implementation, Library } from './function.js';
import { asText } from './function.js';
import { escapedPath, type GoUrl, hostname, parseRequestUri, port, queryValues } from './go-url.js';

class UrlValue extends Opaque {
  readonly type: CelType = namedType('URL');

  constructor(
    readonly url: GoUrl,
    readonly text: string,
  ) {
    super();
  }

  equals(other: Opaque): boolean | Failure {
    return other instanceof UrlValue ? this.text === other.text : noSuchOverload();
  }
}

function parse(text: Value = null): Value {
  const parsed = parseRequestUri(asText(text));
  if (parsed instanceof Failure) return new Failure(`URL parse error during conversion from string: ${parsed.message}`);
  return new UrlValue(parsed, asText(text));
}

function read(get: (url: GoUrl) => Value): Implementation {
  return (value) => (value instanceof UrlValue ? get(value.url) : noSuchOverload());
}

function query(url: GoUrl): Value {
  return new EntryMap([...queryValues(url)].map(([key, values]) => [key, new ArrayList(values)] as const));
}

export const urlLibrary: Library = {
  url: [['string_to_url', '(string): URL', parse]],
  isURL: [['is_url_string', '(string): bool', (text) => !(parseRequestUri(asText(text)) instanceof Failure)]],
  getScheme: [['url_get_scheme', 'URL.(): string', read((url) => url.scheme)]],
  getHost: [['url_get_host', 'URL.(): string', read((url) => url.host)]],
  getHostname: [['url_get_hostname', 'URL.(): string', read(hostname)]],
  getPort: [['url_get_port', 'URL.(): string', read(port)]],
  getEscapedPath: [['url_get_escaped_path', 'URL.(): string', read(escapedPath)]],
  getQuery: [['url_get_query', 'URL.(): map(string, list(string))', read(query)]],
};
