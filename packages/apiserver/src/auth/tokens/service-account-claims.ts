import { checkDns1123Label, checkDns1123Subdomain, recordAt, textAt } from '@slipway/kube';
import type { UserInfo } from '../../contract/index.js';

export interface ObjectRef {
  readonly name: string;
  readonly uid: string;
}

/** The claims of a service account token. Times are seconds since the epoch. */
export interface ServiceAccountClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly exp?: number;
  readonly iat?: number;
  readonly nbf?: number;
  readonly jti?: string;
  readonly namespace: string;
  readonly serviceAccount: ObjectRef;
  readonly pod?: ObjectRef;
  readonly secret?: ObjectRef;
  readonly node?: ObjectRef;
  readonly warnAfter?: number;
}

const serviceAccountPrefix = 'system:serviceaccount:';

export function serviceAccountUsername(namespace: string, name: string): string {
  return `${serviceAccountPrefix}${namespace}:${name}`;
}

export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** Returns the namespace and name in a service account's user name, or undefined for any other user. */
export function splitServiceAccountUsername(username: string): { namespace: string; name: string } | undefined {
  if (!username.startsWith(serviceAccountPrefix) || username.length > 400) return undefined;
  const [namespace = '', name = '', ...rest] = username.slice(serviceAccountPrefix.length).split(':');
  const problems = rest.length + checkDns1123Label(namespace).length + checkDns1123Subdomain(name).length;
  return problems === 0 ? { namespace, name } : undefined;
}

/** Encodes the claims as JSON, with keys in upstream's order. */
export function encodeClaims(claims: ServiceAccountClaims): string {
  return JSON.stringify({
    aud: claims.aud,
    exp: claims.exp,
    iat: claims.iat,
    iss: claims.iss,
    jti: claims.jti,
    'kubernetes.io': {
      namespace: claims.namespace,
      node: claims.node,
      pod: claims.pod,
      secret: claims.secret,
      serviceaccount: claims.serviceAccount,
      warnafter: claims.warnAfter,
    },
    nbf: claims.nbf,
    sub: claims.sub,
  });
}

/** Decodes a payload whose signature was verified. Returns undefined if it is not a service account token. */
export function decodeClaims(json: unknown): ServiceAccountClaims | undefined {
  const own = recordAt(json, 'kubernetes.io');
  const serviceAccount = refAt(own, 'serviceaccount');
  if (typeof json !== 'object' || json === null || own === undefined || serviceAccount === undefined) return undefined;
  return {
    iss: textAt(json, 'iss'),
    sub: textAt(json, 'sub'),
    aud: audiencesOf((json as Record<string, unknown>)['aud']),
    ...numbersOf(json as Record<string, unknown>),
    jti: textAt(json, 'jti'),
    namespace: textAt(own, 'namespace'),
    serviceAccount,
    pod: refAt(own, 'pod'),
    secret: refAt(own, 'secret'),
    node: refAt(own, 'node'),
    warnAfter: numberOf(own['warnafter']),
  };
}

function numbersOf(json: Record<string, unknown>): Pick<ServiceAccountClaims, 'exp' | 'iat' | 'nbf'> {
  return { exp: numberOf(json['exp']), iat: numberOf(json['iat']), nbf: numberOf(json['nbf']) };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function audiencesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function refAt(value: unknown, key: string): ObjectRef | undefined {
  const ref = recordAt(value, key);
  return ref === undefined ? undefined : { name: textAt(ref, 'name'), uid: textAt(ref, 'uid') };
}

const extraPrefix = 'authentication.kubernetes.io/';

export function userOfClaims(claims: ServiceAccountClaims): UserInfo {
  const extra: Record<string, readonly string[]> = {};
  const set = (key: string, value: string | undefined): void => {
    if (value) extra[`${extraPrefix}${key}`] = [value];
  };
  if (claims.pod?.name && claims.pod.uid) {
    set('pod-name', claims.pod.name);
    set('pod-uid', claims.pod.uid);
  }
  if (claims.jti) set('credential-id', `JTI=${claims.jti}`);
  if (claims.node?.name) {
    set('node-name', claims.node.name);
    set('node-uid', claims.node.uid);
  }
  const user: UserInfo = {
    username: serviceAccountUsername(claims.namespace, claims.serviceAccount.name),
    uid: claims.serviceAccount.uid,
    groups: serviceAccountGroups(claims.namespace),
  };
  return Object.keys(extra).length > 0 ? { ...user, extra } : user;
}
