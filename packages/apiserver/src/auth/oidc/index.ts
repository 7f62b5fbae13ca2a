export {
  type AuthenticationConfiguration,
  AuthenticationConfigurationError,
  parseAuthenticationConfiguration,
} from './configuration.js';
export { OidcAuthenticator } from './oidc-authenticator.js';
