import { type Frozen, isFields, type KubeObject, listAt, recordAt, textAt } from '@slipway/kube';
import { parseCertificates } from '@slipway/pki';
import { readSigningRequestObject } from './signing-request-object.js';

const hourMs = 3_600_000;
const decidedMsMax = hourMs;
const pendingMsMax = 24 * hourMs;

/**
 * Whether to delete a CertificateSigningRequest: one hour after it was issued, denied or failed, one day after it was created or
 * approved and still has no certificate, or when its certificate has expired.
 */
export function isSigningRequestStale(object: Frozen<KubeObject>, now: number): boolean {
  const { certificate, conditions } = readSigningRequestObject(object);
  if (conditions.length === 0) return isOlder(object.metadata.creationTimestamp ?? '', pendingMsMax, now);
  const approvedMsMax = certificate === '' ? pendingMsMax : decidedMsMax;
  const limits: Readonly<Record<string, number>> = {
    Approved: approvedMsMax,
    Denied: decidedMsMax,
    Failed: decidedMsMax,
  };
  const late = listAt(recordAt(object, 'status'), 'conditions').some((condition) => {
    const limit = limits[textAt(condition, 'type')];
    return isFields(condition) && limit !== undefined && isOlder(textAt(condition, 'lastUpdateTime'), limit, now);
  });
  return late || isExpired(certificate, now);
}

function isOlder(time: string, ms: number, now: number): boolean {
  const at = Date.parse(time);
  return !Number.isNaN(at) && now - at > ms;
}

function isExpired(base64: string, now: number): boolean {
  try {
    const [certificate] = parseCertificates(Buffer.from(base64, 'base64').toString('utf8'));
    return certificate !== undefined && certificate.notAfter < now;
  } catch {
    return false;
  }
}
