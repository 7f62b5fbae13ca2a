import { integerAt, isFields, listAt, recordAt, textAt, textsAt } from '@slipway/kube';
import { parseSigningRequest, type SigningRequest, type KeyUsage } from '@slipway/pki';
import type { UserInfo } from '../../contract/index.js';

export const signers = {
  client: 'kubernetes.io/kube-apiserver-client',
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  kubeletServing: 'kubernetes.io/kubelet-serving',
  legacyUnknown: 'kubernetes.io/legacy-unknown',
} as const;

export const certificatesGroup = 'certificates.k8s.io';
export const signingRequests = 'certificatesigningrequests';

export interface Condition {
  readonly type: string;
  readonly status: string;
}

/** The fields of a CertificateSigningRequest that the server validates. */
export interface SigningRequestObject {
  readonly name: string;
  /** PEM. */
  readonly request: string;
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
  readonly requestor: UserInfo;
  readonly conditions: readonly Condition[];
  /** PEM, base64; empty until signed. */
  readonly certificate: string;
}

export function readSigningRequestObject(object: unknown): SigningRequestObject {
  const spec = recordAt(object, 'spec');
  const status = recordAt(object, 'status');
  return {
    name: textAt(recordAt(object, 'metadata'), 'name'),
    request: Buffer.from(textAt(spec, 'request'), 'base64').toString('utf8'),
    signerName: textAt(spec, 'signerName'),
    usages: textsAt(spec, 'usages'),
    expirationSeconds: integerAt(spec, 'expirationSeconds'),
    requestor: readRequestor(spec),
    conditions: listAt(status, 'conditions')
      .filter(isFields)
      .map((condition) => ({ type: textAt(condition, 'type'), status: textAt(condition, 'status') })),
    certificate: textAt(status, 'certificate'),
  };
}

function readRequestor(spec: unknown): UserInfo {
  const extra = Object.entries(recordAt(spec, 'extra') ?? {}).filter(([, values]) => Array.isArray(values));
  return {
    username: textAt(spec, 'username'),
    uid: textAt(spec, 'uid'),
    groups: textsAt(spec, 'groups'),
    extra: Object.fromEntries(extra) as Record<string, readonly string[]>,
  };
}

export function hasCondition(object: SigningRequestObject, type: string): boolean {
  return object.conditions.some((condition) => condition.type === type);
}

/** The decoded PKCS#10 request, or the decoding error. */
export function parseRequest(object: SigningRequestObject): SigningRequest | { readonly problem: string } {
  try {
    return parseSigningRequest(object.request);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'malformed certificate request' };
  }
}

export function isParsed(request: SigningRequest | { readonly problem: string }): request is SigningRequest {
  return !('problem' in request);
}

/** Kubelets with elliptic-curve keys omit key encipherment; both sets of usages are valid. */
export function isUsageSet(usages: readonly string[], purpose: KeyUsage): boolean {
  const given = new Set(usages);
  const expected: KeyUsage[] = given.has('key encipherment')
    ? ['digital signature', 'key encipherment', purpose]
    : ['digital signature', purpose];
  return given.size === expected.length && expected.every((usage) => given.has(usage));
}
