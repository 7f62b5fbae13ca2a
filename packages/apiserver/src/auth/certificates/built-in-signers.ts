import {
  type CertificateAuthority,
  certificateToPem,
  isUsage,
  type PkiDependencies,
  type SigningRequest,
  signRequest,
  type KeyUsage,
} from '@slipway/pki';
import {
  hasCondition,
  isParsed,
  isUsageSet,
  parseRequest,
  type SigningRequestObject,
  signers,
} from './signing-request-object.js';

/** Returns the reason why a built-in signer must not sign this request, in upstream's wording, or undefined. */
export function signerProblem(object: SigningRequestObject, request: SigningRequest): string | undefined {
  switch (object.signerName) {
    case signers.kubeletServing:
      return kubeletServingProblem(request, object.usages);
    case signers.kubeletClient:
      return kubeletClientProblem(request, object.usages);
    case signers.client:
      return clientProblem(object.usages);
    default:
      return undefined;
  }
}

function nodesProblem(request: SigningRequest): string | undefined {
  const { organizations } = request.subject;
  return organizations.length === 1 && organizations[0] === 'system:nodes'
    ? undefined
    : 'subject organization is not system:nodes';
}

function nodeNameProblem(request: SigningRequest): string | undefined {
  return request.subject.commonName.startsWith('system:node:')
    ? undefined
    : 'subject common name does not begin with system:node:';
}

function usagesProblem(usages: readonly string[], purpose: KeyUsage): string | undefined {
  return isUsageSet(usages, purpose)
    ? undefined
    : `usages did not match [${['digital signature', 'key encipherment', purpose].sort().join(' ')}]`;
}

function kubeletServingProblem(request: SigningRequest, usages: readonly string[]): string | undefined {
  const organization = nodesProblem(request);
  if (organization !== undefined) return organization;
  if (request.dnsNames.length === 0 && request.ipAddresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (request.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return usagesProblem(usages, 'server auth') ?? nodeNameProblem(request);
}

export function kubeletClientProblem(request: SigningRequest, usages: readonly string[]): string | undefined {
  const organization = nodesProblem(request);
  if (organization !== undefined) return organization;
  if (request.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (request.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return nodeNameProblem(request) ?? usagesProblem(usages, 'client auth');
}

function clientProblem(usages: readonly string[]): string | undefined {
  const allowed = ['digital signature', 'key encipherment', 'client auth'];
  const other = usages.find((usage) => !allowed.includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

/** The signer's decision: sign the request, mark it as failed, or ignore it. */
export type SigningOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'signed'; readonly certificatePem: string }
  | { readonly kind: 'failed'; readonly reason: 'SignerValidationFailure'; readonly message: string };

const minuteMs = 60_000;
const backdateMs = 5 * minuteMs;
/**
 * Certificates of at least this duration include the backdating in the requested duration. For shorter ones it is
 * added.
 */
const shortMs = 8 * 60 * minuteMs;
const validityMsMin = 10 * minuteMs;

/** Signs an approved request if its signer is a built-in one. */
export async function signApproved(
  dependencies: PkiDependencies,
  authority: CertificateAuthority,
  object: SigningRequestObject,
  options: { readonly validityMsMax: number },
): Promise<SigningOutcome> {
  const isBuiltIn = (Object.values(signers) as string[]).includes(object.signerName);
  if (!isBuiltIn || object.certificate !== '' || !hasCondition(object, 'Approved')) return { kind: 'none' };
  if (hasCondition(object, 'Denied') || hasCondition(object, 'Failed')) return { kind: 'none' };
  const request = parseRequest(object);
  if (!isParsed(request)) return failed(request.problem);
  const problem = signerProblem(object, request);
  if (problem !== undefined) return failed(problem);
  const lifeMs = validityMsOf(object, options.validityMsMax);
  const certificate = await signRequest(dependencies, authority, request, {
    usages: object.usages.filter(isUsage),
    validityMs: lifeMs < shortMs ? lifeMs : lifeMs - backdateMs,
    backdateMs,
  });
  return { kind: 'signed', certificatePem: certificateToPem(certificate) };
}

function failed(message: string): SigningOutcome {
  return { kind: 'failed', reason: 'SignerValidationFailure', message };
}

function validityMsOf(object: SigningRequestObject, validityMsMax: number): number {
  if (object.expirationSeconds === undefined) return validityMsMax;
  return Math.min(Math.max(object.expirationSeconds * 1000, validityMsMin), validityMsMax);
}
