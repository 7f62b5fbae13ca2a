import { badRequest } from '@slipway/kube';
import { emptyQuery, percentDecode, Query } from './query.js';

/** Attributes of a request from method and URL alone: enough to authorize it before any lookup. */
export interface RequestInfo {
  readonly method: string;
  /** The decoded path without the query. */
  readonly path: string;
  readonly query: Query;
  readonly isResource: boolean;
  /** For resources one of the API verbs; for other paths the method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  /** The namespace in the path. For a Namespace object, its own name, as authorization expects. */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** The object name in the path. */
  readonly name: string;
  /** The object name to authorize: from the path, or the single name that a field selector requires. */
  readonly authorizedName: string;
  /** Whether the path has segments beyond `resource/name/subresource`. */
  readonly extra: boolean;
  /** Whether the path has the deprecated `/watch/` prefix. */
  readonly legacyWatch: boolean;
}

const namespaceSubresources = new Set(['status', 'finalize']);

const methodVerbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

export function parseRequestInfo(method: string, url: string): RequestInfo {
  const question = url.indexOf('?');
  const query = question < 0 || question === url.length - 1 ? emptyQuery : new Query(url.slice(question + 1));
  const path = percentDecode(question < 0 ? url : url.slice(0, question));
  if (path === undefined || !path.startsWith('/')) throw badRequest('the request path is not properly encoded');
  const parts = splitPath(path);
  const prefix = parts[0];
  if (prefix === 'api' && parts.length >= 3) return resourceInfo(method, path, query, '', parts[1] ?? '', parts, 2);
  if (prefix === 'apis' && parts.length >= 4)
    return resourceInfo(method, path, query, parts[1] ?? '', parts[2] ?? '', parts, 3);
  return nonResourceInfo(method, path, query);
}

/** Splits a path into segments. Leading and trailing slashes are ignored. */
function splitPath(path: string): string[] {
  let end = path.length;
  while (end > 1 && path.charCodeAt(end - 1) === 0x2f) end -= 1;
  return path.slice(1, end).split('/');
}

function nonResourceInfo(method: string, path: string, query: Query): RequestInfo {
  return {
    method,
    path,
    query,
    isResource: false,
    verb: method.toLowerCase(),
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    authorizedName: '',
    extra: false,
    legacyWatch: false,
  };
}

function resourceInfo(
  method: string,
  path: string,
  query: Query,
  group: string,
  version: string,
  parts: readonly string[],
  start: number,
): RequestInfo {
  const ofMethod = methodVerbs[method] ?? '';
  const legacyWatch = parts[start] === 'watch' && parts.length > start + 1 && ofMethod === 'get';
  const { namespace, at } = namespaceAt(parts, legacyWatch ? start + 1 : start);
  const [resource = '', name = '', subresource = '', ...rest] = parts.slice(at);
  const single = legacyWatch ? 'watch' : ofMethod;
  const verb = name === '' ? collectionVerb(single, query) : single;
  return {
    method,
    path,
    query,
    isResource: true,
    verb,
    group,
    version,
    namespace,
    resource,
    subresource,
    name,
    authorizedName: name === '' && (verb === 'list' || verb === 'watch') ? selectedName(query) : name,
    extra: rest.length > 0,
    legacyWatch,
  };
}

/** Returns the namespace of a path, and the index of its resource segment. */
function namespaceAt(parts: readonly string[], at: number): { readonly namespace: string; readonly at: number } {
  const [segment, namespace = '', below] = parts.slice(at);
  if (segment !== 'namespaces') return { namespace: '', at };
  // A segment after the namespace is another resource, except for subresources of the namespace.
  return { namespace, at: below === undefined || namespaceSubresources.has(below) ? at : at + 2 };
}

function collectionVerb(verb: string, query: Query): string {
  if (verb === 'get') return query.flag('watch') ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

/** Returns the single name that a field selector requires. RBAC resourceNames also apply to lists and watches of one object. */
function selectedName(query: Query): string {
  const selector = query.get('fieldSelector');
  if (selector === undefined) return '';
  for (const term of selector.split(',')) {
    const match = /^metadata\.name==?([^!=]+)$/.exec(term);
    const name = match?.[1] ?? '';
    if (name !== '' && name !== '.' && name !== '..' && !/[/%]/.test(name)) return name;
  }
  return '';
}
