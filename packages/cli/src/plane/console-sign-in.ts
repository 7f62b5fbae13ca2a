import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AuthenticationConfiguration } from '@slipway/apiserver';
import type { OidcClient } from '@slipway/console';
import { CliError, exitCodes, onFile } from '../errors/index.js';
import { type ConsoleSignInFlags, consoleOidcScopesDefault } from '../options/console-sign-in-options.js';

/** Reads the console's registration at an issuer. Returns undefined without `--console-oidc-client-id`. */
export async function readConsoleSignIn(
  flags: ConsoleSignInFlags,
  authentication: AuthenticationConfiguration | undefined,
): Promise<ConsoleSignIn | undefined> {
  const { consoleOidcClientId: clientId, consoleOidcClientSecretFile: file } = flags;
  if (clientId === undefined) {
    const other = flags.consoleOidcIssuerUrl ?? file;
    if (other === undefined) return undefined;
    throw usage('--console-oidc-issuer-url and --console-oidc-client-secret-file need --console-oidc-client-id');
  }
  const path = file === undefined ? undefined : resolve(file);
  const clientSecret =
    path === undefined ? undefined : (await onFile('read', path, () => readFile(path, 'utf8'))).trim();
  const signIn = new ConsoleSignIn(flags, clientId, clientSecret);
  const problem = signIn.follow(authentication);
  if (problem !== undefined) throw usage(problem);
  return signIn;
}

/** The console's registration, which follows changes of the AuthenticationConfiguration. */
export class ConsoleSignIn {
  #client: OidcClient | undefined;

  constructor(
    private readonly flags: ConsoleSignInFlags,
    private readonly clientId: string,
    private readonly clientSecret: string | undefined,
  ) {}

  /** Undefined while the AuthenticationConfiguration has no issuer for the console. */
  get client(): OidcClient | undefined {
    return this.#client;
  }

  /** Applies the issuers of a configuration. Returns why none of them can be used, or undefined. */
  follow(authentication: AuthenticationConfiguration | undefined): string | undefined {
    this.#client = undefined;
    const { consoleOidcIssuerUrl: wanted, consoleOidcScopes = consoleOidcScopesDefault } = this.flags;
    const issuers = authentication?.issuers ?? [];
    if (issuers.length === 0) return '--console-oidc-client-id needs an issuer in --authentication-config';
    if (wanted === undefined && issuers.length > 1)
      return '--authentication-config has several issuers: choose one with --console-oidc-issuer-url';
    const issuer = wanted === undefined ? issuers[0] : issuers.find(({ url }) => url === wanted);
    if (issuer === undefined) return `--authentication-config has no issuer "${wanted}"`;
    if (!issuer.audiences.includes(this.clientId))
      return `the client ID "${this.clientId}" is not one of the audiences of ${issuer.url} in --authentication-config`;
    const { url, discoveryUrl, certificateAuthority } = issuer;
    this.#client = {
      issuer: url,
      discoveryUrl,
      certificateAuthority,
      clientId: this.clientId,
      clientSecret: this.clientSecret,
      scopes: consoleOidcScopes
        .split(',')
        .map((scope) => scope.trim())
        .filter((scope) => scope !== ''),
    };
    return undefined;
  }
}

function usage(message: string): CliError {
  return new CliError(message, { remedy: 'see docs/operating/authentication.md', exitCode: exitCodes.usage });
}
