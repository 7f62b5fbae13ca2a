import type { UserInfo } from './user.js';

export interface ResourceAttributes {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
  /** Empty at the cluster scope. */
  readonly namespace: string;
  /** Empty where the request names no single object. */
  readonly name: string;
}

/** One question: may this user do this? Exactly one of `resource` and `path` is set. */
export interface AccessRequest {
  readonly user: UserInfo;
  readonly verb: string;
  readonly resource?: ResourceAttributes;
  readonly path?: string;
}

export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

export interface Authorizer {
  /** Synchronous: roles and bindings are in memory. */
  authorize(request: AccessRequest): Decision;
}
