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
  /** The PKCS#10 request as PEM. */
  readonly request: string;
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
  readonly requestor: UserInfo;
  readonly conditions: readonly Condition[];
  /** The issued certificate: PEM, encoded in base64. Empty until signed. */
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

/** Decodes the PKCS#10 request. Returns the decoding error if it is invalid. */
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

/**
 * Whether these are the usages of a kubelet certificate for `purpose`. Key encipherment is optional: kubelets with EC keys omit
 * it.
 */
export function isUsageSet(usages: readonly string[], purpose: KeyUsage): boolean {
  const given = new Set(usages);
  const expected: KeyUsage[] = given.has('key encipherment')
    ? ['digital signature', 'key encipherment', purpose]
    : ['digital signature', purpose];
  return given.size === expected.length && expected.every((usage) => given.has(usage));
}
