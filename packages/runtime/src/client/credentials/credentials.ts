import type { Clock } from '@slipway/base';
import type { ConnectionConfig, Impersonation } from '../connection-config.js';
import type { Headers } from '../transport/transport.js';
import { readContent } from './content.js';
import { ExecCredentialSource, type RunProgram } from './exec-credential.js';
import { TokenFile } from './token-file.js';

/** The identity of a client: a certificate on the connection and a token in each request. */
export interface Credentials {
  headers(): Promise<Headers>;
  certificate(): Promise<{ readonly certificate: string; readonly key: string } | undefined>;
  /** Version of the certificate, incremented when it changes. Existing connections still use the old certificate. */
  readonly certificateVersion: number;
  /** Discards cached credentials. Called when the server returned 401. */
  refused(): void;
}

export function createCredentials(config: ConnectionConfig, clock: Clock, run?: RunProgram): Credentials {
  const impersonation = impersonationHeaders(config.impersonate);
  const exec = config.exec === undefined ? undefined : new ExecCredentialSource(config.exec, config, clock, run);
  const tokenFile =
    config.token !== undefined && 'file' in config.token ? new TokenFile(config.token.file, clock) : undefined;
  return {
    async headers() {
      const authorization = await authorizationOf(config, exec, tokenFile);
      return authorization === undefined ? impersonation : { ...impersonation, authorization };
    },
    async certificate() {
      if (config.clientCertificate !== undefined && config.clientKey !== undefined) {
        const certificate = await readContent(config.clientCertificate, 'client certificate');
        return { certificate, key: await readContent(config.clientKey, 'client key') };
      }
      return (await exec?.get())?.certificate;
    },
    get certificateVersion() {
      return exec?.certificateVersion ?? 0;
    },
    refused() {
      exec?.forget();
      tokenFile?.forget();
    },
  };
}

async function authorizationOf(
  config: ConnectionConfig,
  exec: ExecCredentialSource | undefined,
  tokenFile: TokenFile | undefined,
): Promise<string | undefined> {
  if (tokenFile !== undefined) return `Bearer ${await tokenFile.get()}`;
  if (config.token !== undefined && 'data' in config.token) return `Bearer ${config.token.data}`;
  if (config.basic !== undefined) {
    const { username, password } = config.basic;
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }
  const token = (await exec?.get())?.token;
  return token === undefined ? undefined : `Bearer ${token}`;
}

function impersonationHeaders(impersonate: Impersonation | undefined): Headers {
  if (impersonate === undefined) return {};
  const headers: Record<string, string | readonly string[]> = { 'impersonate-user': impersonate.user };
  if (impersonate.uid !== undefined) headers['impersonate-uid'] = impersonate.uid;
  if (impersonate.groups !== undefined && impersonate.groups.length > 0)
    headers['impersonate-group'] = impersonate.groups;
  for (const [key, values] of impersonate.extra ?? []) headers[`impersonate-extra-${escapeHeaderKey(key)}`] = values;
  return headers;
}

/** Percent-encodes the key of an extra field for a header name. Keys are free text, header names are not. */
function escapeHeaderKey(key: string): string {
  const encoded = encodeURIComponent(key).replaceAll(
    /[()]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return encoded.toLowerCase();
}
