import type { Clock, Logger } from '@slipway/base';
import { parseJsonValue } from '@slipway/kube';
import { compactVerify, errors } from 'jose';
import { type TokenAuthenticator, type TokenIdentity, TokenRefused } from '../tokens/token-authenticator.js';
import { isClaims, userOfClaims } from './claim-mapping.js';
import type { AuthenticationConfiguration, JwtIssuerConfiguration } from './configuration.js';
import { IssuerKeys } from './issuer-keys.js';

const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'];
/** Allowed clock skew of `nbf`, in seconds, as upstream allows it. `exp` has none. */
const notBeforeLeewaySeconds = 300;

interface Issuer {
  readonly configuration: JwtIssuerConfiguration;
  readonly keys: IssuerKeys;
}

/** Authenticates tokens of the issuers in an AuthenticationConfiguration, which can be replaced while the server runs. */
export class OidcAuthenticator implements TokenAuthenticator {
  #issuers: ReadonlyMap<string, Issuer> = new Map();
  #anonymous: AuthenticationConfiguration['anonymous'];

  constructor(
    private readonly dependencies: { readonly clock: Clock; readonly logger: Logger },
    configuration: AuthenticationConfiguration,
  ) {
    this.replace(configuration);
  }

  /** Replaces the configuration, effective from the next request. */
  replace({ issuers, anonymous }: AuthenticationConfiguration): void {
    this.#anonymous = anonymous;
    this.#issuers = new Map(
      issuers.map((configuration) => [
        configuration.url,
        { configuration, keys: new IssuerKeys(configuration, this.dependencies.clock) },
      ]),
    );
  }

  /** Whether a request for the path may be anonymous. */
  allowsAnonymous(path: string): boolean {
    if (this.#anonymous === undefined) return true;
    const { enabled, paths } = this.#anonymous;
    return enabled && (paths.length === 0 || paths.includes(path));
  }

  async authenticate(token: string): Promise<TokenIdentity | undefined> {
    const issuer = this.#issuers.get(issuerOf(token));
    if (issuer === undefined) return undefined;
    const claims = await this.#verified(token, issuer);
    this.#checkStandardClaims(claims, issuer.configuration);
    return { user: userOfClaims(issuer.configuration, claims as Parameters<typeof userOfClaims>[1]) };
  }

  async #verified(token: string, { configuration, keys }: Issuer): Promise<Readonly<Record<string, unknown>>> {
    try {
      const { payload } = await this.#verify(token, keys);
      const claims = parseJsonValue(payload);
      if (isClaims(claims)) return claims;
    } catch (error) {
      if (!(error instanceof errors.JOSEError))
        this.dependencies.logger.warn(
          { issuer: configuration.url, err: error },
          'Failed to fetch the keys of the issuer',
        );
      throw new TokenRefused(`oidc: verify token: ${error instanceof Error ? error.message : String(error)}`);
    }
    throw new TokenRefused('oidc: verify token: the claims are not an object');
  }

  async #verify(token: string, keys: IssuerKeys): ReturnType<typeof compactVerify> {
    try {
      return await compactVerify(token, await keys.get(), { algorithms });
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const refreshed = await keys.refreshed();
      if (refreshed === undefined) throw error;
      return compactVerify(token, refreshed, { algorithms });
    }
  }

  #checkStandardClaims(claims: Readonly<Record<string, unknown>>, { audiences }: JwtIssuerConfiguration): void {
    const { aud, exp, nbf } = claims;
    const now = this.dependencies.clock.now() / 1000;
    const given: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
    if (!audiences.some((audience) => given.includes(audience)))
      throw new TokenRefused('oidc: verify token: the token is not for an expected audience');
    if (typeof exp !== 'number' || exp < now) throw new TokenRefused('oidc: verify token: token is expired');
    if (typeof nbf === 'number' && nbf > now + notBeforeLeewaySeconds)
      throw new TokenRefused('oidc: verify token: the token is not valid yet');
  }
}

/** Returns the issuer that the token claims to be from, without verifying it. */
function issuerOf(token: string): string {
  const parts = token.split('.', 4);
  if (parts.length !== 3) return '';
  try {
    const claims = parseJsonValue(Buffer.from(parts[1] ?? '', 'base64url'));
    return isClaims(claims) && typeof claims['iss'] === 'string' ? claims['iss'] : '';
  } catch {
    return '';
  }
}
