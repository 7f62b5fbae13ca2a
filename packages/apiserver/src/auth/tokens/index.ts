export { BearerTokens, bearerToken } from './bearer-tokens.js';
export type { BootstrapToken, BootstrapTokenSecret, CleanDecision } from './bootstrap-token.js';
export {
  bootstrapTokenIdOfName,
  bootstrapTokenNamespace,
  bootstrapTokenPrefix,
  bootstrapTokenType,
  decideTokenCleaning,
  parseBootstrapToken,
  readBootstrapTokenSecret,
} from './bootstrap-token.js';
export { BootstrapTokenAuthenticator } from './bootstrap-token-authenticator.js';
export type { ObjectRef, ServiceAccountClaims } from './service-account-claims.js';
export {
  serviceAccountGroups,
  serviceAccountUsername,
  splitServiceAccountUsername,
} from './service-account-claims.js';
export type { SigningKey, TokenAlgorithm, VerificationKey } from './service-account-keys.js';
export {
  jsonWebKeySet,
  openIdConfiguration,
  ServiceAccountKeys,
  toSigningKey,
  toVerificationKey,
} from './service-account-keys.js';
export type { ServiceAccountTokenOptions } from './service-account-tokens.js';
export { ServiceAccountTokens, signToken } from './service-account-tokens.js';
export { SignatureCheck } from './signed-payload.js';
export type { StaticToken } from './static-tokens.js';
export { StaticTokens, secretsEqual } from './static-tokens.js';
export type { TokenAuthenticator, TokenIdentity } from './token-authenticator.js';
export { TokenRefused, tokenLengthMax } from './token-authenticator.js';
export type { TokenSecretOptions, TokenSecretPlan } from './token-secrets.js';
export { planTokenSecret, TokenSecrets, tokenSecretType } from './token-secrets.js';
