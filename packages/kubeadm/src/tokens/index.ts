export type { BootstrapToken, TokenDecision, TokenState } from './bootstrap-token.js';
export {
  createToken,
  parseToken,
  planTokenRefresh,
  planTokenRotation,
  tokenCheckIntervalMs,
  tokenNamespace,
  tokenSecret,
  tokenSecretName,
  tokenText,
  tokenTtlMsDefault,
} from './bootstrap-token.js';
