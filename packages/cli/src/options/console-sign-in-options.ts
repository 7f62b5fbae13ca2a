import type { Command } from 'commander';

/** Flags of the console's registration at an OpenID Connect issuer. */
export interface ConsoleSignInFlags {
  readonly consoleOidcClientId?: string;
  readonly consoleOidcClientSecretFile?: string;
  readonly consoleOidcIssuerUrl?: string;
  readonly consoleOidcScopes?: string;
}

export const consoleOidcScopesDefault = 'openid,profile,email';

export function addConsoleSignInOptions(command: Command): Command {
  return command
    .option(
      '--console-oidc-client-id <id>',
      'Client ID of the web console at an issuer of --authentication-config, to sign in with OpenID Connect. It must be one of ' +
        'the audiences of the issuer.',
    )
    .option(
      '--console-oidc-client-secret-file <file>',
      'File with the client secret. Not needed for a public client, because the console uses PKCE.',
    )
    .option(
      '--console-oidc-issuer-url <url>',
      'Issuer at which users of the console sign in. Required if --authentication-config has several issuers.',
    )
    .option(
      '--console-oidc-scopes <list>',
      'Scopes to request, separated by commas. Some issuers return groups only for a separate scope.',
      consoleOidcScopesDefault,
    );
}
