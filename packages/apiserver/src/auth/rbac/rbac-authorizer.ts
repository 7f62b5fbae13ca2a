import { aggregateText } from '@slipway/kube';
import type { AccessRequest, Authorizer, Decision } from '../../contract/index.js';
import { describeBinding } from './binding.js';
import { missingRole, type RbacIndex } from './rbac-index.js';

export const mastersGroup = 'system:masters';

const allowedAsMaster: Decision = { allowed: true, reason: '' };
const noOpinion: Decision = { allowed: false, reason: '' };

/** Authorizes by RBAC: allows a request if any role bound to the user allows it. There are no deny rules. */
export class RbacAuthorizer implements Authorizer {
  constructor(readonly index: RbacIndex) {}

  authorize(request: AccessRequest): Decision {
    if (request.user.groups.includes(mastersGroup)) return allowedAsMaster;
    let decision: Decision | undefined;
    let missing: string[] | undefined;
    this.index.visitGrants(request.user, request.resource?.namespace ?? '', (grant) => {
      const { binding } = grant;
      const role = this.index.role(binding.roleRef, binding.namespace);
      if (role === undefined) {
        missing ??= [];
        missing.push(missingRole(binding.roleRef));
        return false;
      }
      if (!role.allows(request)) return false;
      decision = { allowed: true, reason: `RBAC: allowed by ${describeBinding(binding, grant.subject)}` };
      return true;
    });
    if (decision !== undefined) return decision;
    return missing === undefined ? noOpinion : { allowed: false, reason: `RBAC: ${aggregateText(missing)}` };
  }
}
