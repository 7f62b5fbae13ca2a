export type { Authenticator, Credentials } from './authenticator.js';
export type { AccessRequest, Authorizer, Decision, ResourceAttributes } from './authorizer.js';
export type { UserInfo } from './user.js';
export { anonymousUser, loopbackUser } from './user.js';
