import { badRequest, parseJson } from '@slipway/kube';

/**
 * Start key and revision of the next page of a list. With revision -1, the page is read from the latest state and may be
 * inconsistent with earlier pages.
 */
export interface ContinueToken {
  readonly revision: number;
  readonly after: { readonly namespace: string; readonly name: string };
}

const formatVersion = 'meta.k8s.io/v1';

export function encodeContinue(token: ContinueToken): string {
  const start = `${token.after.namespace}/${token.after.name}`;
  return Buffer.from(JSON.stringify({ v: formatVersion, rv: token.revision, start })).toString('base64url');
}

export function decodeContinue(text: string): ContinueToken {
  const decoded = decodeJson(text);
  if (decoded.v !== formatVersion)
    throw invalidToken(`server does not recognize this encoded version ${quote(decoded.v)}`);
  const { rv, start } = decoded;
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0 || rv < -1) {
    throw invalidToken('incorrect encoded start resourceVersion');
  }
  const slash = typeof start === 'string' ? start.indexOf('/') : -1;
  if (typeof start !== 'string' || slash < 0) throw invalidToken('encoded start key empty; version meta.k8s.io/v1');
  return { revision: rv, after: { namespace: start.slice(0, slash), name: start.slice(slash + 1) } };
}

function decodeJson(text: string): { v?: unknown; rv?: unknown; start?: unknown } {
  let value: unknown;
  try {
    value = parseJson(Buffer.from(text, 'base64url')).value;
  } catch (error) {
    throw invalidToken(error instanceof Error ? error.message : String(error));
  }
  if (typeof value !== 'object' || value === null) throw invalidToken('not an object');
  return value;
}

function invalidToken(detail: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${detail}`);
}

function quote(value: unknown): string {
  return JSON.stringify(value ?? '');
}
