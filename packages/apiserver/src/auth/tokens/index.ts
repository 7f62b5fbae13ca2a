export { type TokenWebhook, WebhookTokens } from './webhook-tokens.js';
export { BearerTokens, bearerToken } from './bearer-tokens.js';
export {
  type BootstrapToken,
  bootstrapTokenIdOfName,
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
  toSigningKey,
  toVerificationKey,
} from './service-account-keys.js';
export { ServiceAccountTokens, signToken } from './service-account-tokens.js';
export { SignatureCheck } from './signed-payload.js';
export { secretsEqual, type StaticToken, StaticTokens } from './static-tokens.js';
export { type TokenIdentity, TokenRefused } from './token-authenticator.js';
export { planTokenSecret, TokenSecrets } from './token-secrets.js';
