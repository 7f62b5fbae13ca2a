import type { AccessRequest, Authorizer } from '../../contract/index.js';
import { kubeletClientProblem } from './built-in-signers.js';
import {
  certificatesGroup,
  hasCondition,
  isParsed,
  parseRequest,
  type SigningRequestObject,
  signers,
  signingRequests,
} from './signing-request-object.js';

/** Whether to approve a request automatically, and why not. */
export type ApprovalOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'approve'; readonly reason: 'AutoApproved'; readonly message: string }
  /** A kubelet client request whose requestor lacks the permission. It can still be approved manually. */
  | { readonly kind: 'unauthorized'; readonly tried: readonly string[] };

/** Decides whether to approve a kubelet client certificate: the requestor must have the required permission. */
export function decideAutoApproval(authorizer: Authorizer, object: SigningRequestObject): ApprovalOutcome {
  if (object.certificate !== '' || hasCondition(object, 'Approved') || hasCondition(object, 'Denied'))
    return { kind: 'none' };
  const request = parseRequest(object);
  if (object.signerName !== signers.kubeletClient || !isParsed(request)) return { kind: 'none' };
  if (kubeletClientProblem(request, object.usages) !== undefined) return { kind: 'none' };
  const tried: string[] = [];
  if (request.subject.commonName === object.requestor.username) {
    tried.push('selfnodeclient');
    if (may(authorizer, object, 'selfnodeclient'))
      return approve('Auto approving self kubelet client certificate after SubjectAccessReview.');
  }
  tried.push('nodeclient');
  if (may(authorizer, object, 'nodeclient'))
    return approve('Auto approving kubelet client certificate after SubjectAccessReview.');
  return { kind: 'unauthorized', tried };
}

function approve(message: string): ApprovalOutcome {
  return { kind: 'approve', reason: 'AutoApproved', message };
}

function may(authorizer: Authorizer, object: SigningRequestObject, subresource: string): boolean {
  const resource = {
    group: certificatesGroup,
    version: '*',
    resource: signingRequests,
    subresource,
    namespace: '',
    name: '',
  };
  const request: AccessRequest = { user: object.requestor, verb: 'create', resource };
  return authorizer.authorize(request).allowed;
}
