export { BearerTokens, bearerToken } from './bearer-tokens.js';
export {
  type BootstrapToken,
  bootstrapTokenIdOfName,
  bootstrapTokenNamespace,
  bootstrapTokenPrefix,
  type BootstrapTokenSecret,
  bootstrapTokenType,
  type CleanDecision,
  decideTokenCleaning,
  parseBootstrapToken,
  readBootstrapTokenSecret,
} from './bootstrap-token.js';
export { BootstrapTokenAuthenticator } from './bootstrap-token-authenticator.js';
export {
  type ObjectRef,
  type ServiceAccountClaims,
  serviceAccountGroups,
  serviceAccountUsername,
  splitServiceAccountUsername,
} from './service-account-claims.js';
export {
  jsonWebKeySet,
  openIdConfiguration,
  ServiceAccountKeys,
  type SigningKey,
  type TokenAlgorithm,
  toSigningKey,
  toVerificationKey,
  type VerificationKey,
} from './service-account-keys.js';
export { type ServiceAccountTokenOptions, ServiceAccountTokens, signToken } from './service-account-tokens.js';
export { SignatureCheck } from './signed-payload.js';
export { secretsEqual, type StaticToken, StaticTokens } from './static-tokens.js';
export { type TokenAuthenticator, type TokenIdentity, tokenLengthMax, TokenRefused } from './token-authenticator.js';
export {
  planTokenSecret,
  type TokenSecretOptions,
  type TokenSecretPlan,
  TokenSecrets,
  tokenSecretType,
} from './token-secrets.js';
