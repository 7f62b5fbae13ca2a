/** One clause of an Accept header, or a Content-Type. Type and parameter names are lower case. */
export interface MediaType {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

const clausesMax = 64;
const cacheMax = 512;
const acceptCache = new Map<string, readonly MediaType[]>();

/**
 * Parses an Accept header. Returns its clauses in order of preference: by quality, then concrete types before wildcards, then in
 * header order. Results are cached, because clients keep sending the same few headers.
 */
export function parseAccept(header: string): readonly MediaType[] {
  const cached = acceptCache.get(header);
  if (cached !== undefined) return cached;
  const clauses: MediaType[] = [];
  for (const part of header.split(',', clausesMax)) {
    const clause = parseMediaType(part);
    if (clause !== undefined) clauses.push(clause);
  }
  clauses.sort((left, right) => right.quality - left.quality || wildcardCount(left) - wildcardCount(right));
  if (acceptCache.size >= cacheMax) acceptCache.clear();
  if (header.length <= 2_048) acceptCache.set(header, clauses);
  return clauses;
}

function wildcardCount(clause: MediaType): number {
  return (clause.type === '*' ? 2 : 0) + (clause.subtype === '*' ? 1 : 0);
}

const noParameters: ReadonlyMap<string, string> = new Map();

function parseMediaType(text: string): MediaType | undefined {
  const [essence = '', ...rest] = text.split(';');
  const slash = essence.indexOf('/');
  const type = (slash < 0 ? essence : essence.slice(0, slash)).trim().toLowerCase();
  const subtype =
    slash < 0
      ? type === '*'
        ? '*'
        : ''
      : essence
          .slice(slash + 1)
          .trim()
          .toLowerCase();
  if (type === '' || subtype === '') return undefined;
  if (rest.length === 0) return { type, subtype, quality: 1, parameters: noParameters };
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const equals = parameter.indexOf('=');
    if (equals < 0) continue;
    parameters.set(parameter.slice(0, equals).trim().toLowerCase(), unquote(parameter.slice(equals + 1).trim()));
  }
  const quality = Number(parameters.get('q') ?? '1');
  return { type, subtype, quality: Number.isNaN(quality) ? 1 : Math.min(Math.max(quality, 0), 1), parameters };
}

function unquote(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

/** Returns `application/json` for `application/json; charset=utf-8`, and undefined for an invalid media type. */
export function essenceOf(contentType: string): string | undefined {
  if (contentType === 'application/json') return contentType;
  const parsed = parseMediaType(contentType);
  return parsed === undefined ? undefined : `${parsed.type}/${parsed.subtype}`;
}
