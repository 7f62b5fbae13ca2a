import { type Frozen, isTime, parseTime } from '@slipway/kube';
import type { CertificateSigningRequest } from '@slipway/runtime';
import { approval, clockSkewMs, nodeBootstrapper, nodesGroup, signers } from './names.js';

type Request = Frozen<CertificateSigningRequest>;

/** Time for which a request that another client approved still counts as pending. */
const foreignApprovalMs = 30_000;

/** Returns whether the request is for one of the two kubelet signers, by a permitted requestor. */
export function isOurs({ spec }: Request): boolean {
  if (spec.signerName === signers.kubeletServing) return (spec.groups ?? []).includes(nodesGroup);
  return spec.signerName === signers.kubeletClient && spec.username === nodeBootstrapper.username;
}

/** Returns whether the request is pending, or was recently approved by another client. */
export function isPending(request: Request, nowMs: number): boolean {
  if (!isOurs(request)) return false;
  const approved = conditionOf(request, 'Approved');
  if (approved === undefined) return true;
  if (approved.message === approval.message) return false;
  const at = timeOf(approved.lastUpdateTime ?? approved.lastTransitionTime);
  return at !== undefined && nowMs - at < foreignApprovalMs + clockSkewMs;
}

/** Returns whether the request is approved, denied or failed. */
export function isDecided(request: Request): boolean {
  return ['Approved', 'Denied', 'Failed'].some((type) => conditionOf(request, type) !== undefined);
}

export function createdMsOf(object: { readonly metadata: { readonly creationTimestamp?: string | null } }): number {
  return timeOf(object.metadata.creationTimestamp) ?? Number.NaN;
}

type RequestCondition = NonNullable<NonNullable<Request['status']>['conditions']>[number];

function conditionOf({ status }: Request, type: string): RequestCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

function timeOf(text: string | null | undefined): number | undefined {
  return typeof text === 'string' && isTime(text) ? parseTime(text) : undefined;
}
