export { type Access, createAccess, serviceAccountIssuer } from './access.js';
export { decideAutoApproval } from './certificates/auto-approval.js';
export { signApproved } from './certificates/built-in-signers.js';
export { isSigningRequestStale } from './certificates/request-cleaning.js';
export { readSigningRequestObject } from './certificates/signing-request-object.js';
export {
  clusterInfoName,
  clusterInfoNamespace,
  createClusterInfo,
  createClusterInfoAccess,
  signedClusterInfo,
  signingTokens,
} from './cluster-info/cluster-info.js';
export { forbiddenRequest } from './forbidden-request.js';
export { openIdentityDirectory } from './identity/identity-directory.js';
export type { IdentityFiles } from './identity/identity-files.js';
export { kubeconfigText } from './identity/kubeconfig.js';
export { memoryIdentityFiles } from './identity/memory-identity-files.js';
export {
  adminKubeconfig,
  ensureServerIdentity,
  type IdentityDependencies,
  type ServerIdentity,
  servingHosts,
} from './identity/server-identity.js';
export {
  type AuthenticationConfiguration,
  AuthenticationConfigurationError,
  parseAuthenticationConfiguration,
} from './oidc/index.js';
export { aggregatedRules } from './rbac/aggregation.js';
export { bootstrapPolicy } from './rbac/bootstrap-policy.js';
export { requiredFields } from './required-fields.js';
export { guardRbacDefinitions } from './rbac/escalation-hooks.js';
export { rbacGroup } from './rbac/rbac-index.js';
export { type PolicyWriter, reconcilePolicy } from './rbac/reconcile-policy.js';
export {
  bootstrapTokenNamespace,
  bootstrapTokenType,
  decideTokenCleaning,
  readBootstrapTokenSecret,
} from './tokens/bootstrap-token.js';
export { ServiceAccountKeys, toSigningKey } from './tokens/service-account-keys.js';
export type { StaticToken } from './tokens/static-tokens.js';
export type { TokenWebhook } from './tokens/webhook-tokens.js';
export { planTokenSecret, tokenSecretType } from './tokens/token-secrets.js';
