import type { AccessRequest, Authorizer, Decision } from '../contract/index.js';

/** Allows what one of several authorizers allows. A denial has the reasons of all of them. */
export class UnionAuthorizer implements Authorizer {
  constructor(private readonly authorizers: readonly Authorizer[]) {}

  authorize(request: AccessRequest): Decision {
    const reasons: string[] = [];
    for (const authorizer of this.authorizers) {
      const decision = authorizer.authorize(request);
      if (decision.allowed) return decision;
      if (decision.reason !== '') reasons.push(decision.reason);
    }
    return { allowed: false, reason: reasons.join('\n') };
  }
}
