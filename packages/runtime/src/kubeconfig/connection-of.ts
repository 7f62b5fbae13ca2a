import { isAbsolute, join } from 'node:path';
import type { JsonObject } from '@slipway/kube';
import type { ConnectionConfig, Content, Impersonation } from '../client/index.js';
import { execPluginOf } from './exec-plugin.js';
import { type ConfigEntry, isObject, type Kubeconfig, KubeconfigError, textOf } from './kubeconfig.js';

export interface ContextConfig extends ConnectionConfig {
  readonly context: string;
  /** The namespace of the context; 'default' if it has none. */
  readonly namespace: string;
}

export interface ConnectionOptions {
  /** Name of the context to use instead of current-context. */
  readonly context?: string;
  /**
   * Environment with HTTPS_PROXY and NO_PROXY, used if the kubeconfig sets no proxy for the cluster. If absent, no
   * environment is used.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether to reject references to programs and files of this host. For untrusted kubeconfigs, such as those in a Secret. */
  readonly inlineOnly?: boolean;
}

/** Returns how to connect to the cluster of a context, as its user. */
export function connectionOf(config: Kubeconfig, options: ConnectionOptions = {}): ContextConfig {
  const name = options.context ?? config.currentContext;
  if (name === '') throw new KubeconfigError('the kubeconfig has no current-context, and no context was selected');
  const context = config.contexts.get(name);
  if (context === undefined)
    throw new KubeconfigError(`context "${name}" does not exist; available contexts: ${namesOf(config.contexts)}`);
  const clusterName = textOf(context.value['cluster']) ?? '';
  const cluster = config.clusters.get(clusterName);
  if (cluster === undefined) {
    throw new KubeconfigError(
      `context "${name}" refers to cluster "${clusterName}", which does not exist; available clusters: ${namesOf(config.clusters)}`,
    );
  }
  const userName = textOf(context.value['user']);
  const user = userName === undefined ? undefined : config.users.get(userName);
  if (userName !== undefined && user === undefined) {
    throw new KubeconfigError(
      `context "${name}" refers to user "${userName}", which does not exist; available users: ${namesOf(config.users)}`,
    );
  }
  if (options.inlineOnly === true) checkInline(cluster, user);
  return {
    ...clusterPart(clusterName, cluster, options),
    ...(user === undefined ? {} : userPart(userName ?? '', user, cluster)),
    context: name,
    namespace: textOf(context.value['namespace']) ?? 'default',
  };
}

function checkInline(cluster: ConfigEntry, user: ConfigEntry | undefined): void {
  const outside = ['exec', 'tokenFile', 'client-certificate', 'client-key', 'certificate-authority'];
  for (const field of outside) {
    const value = cluster.value[field] ?? user?.value[field];
    if (value !== undefined && value !== null && value !== '')
      throw new KubeconfigError(`${field} is not allowed here: the kubeconfig must contain all data inline`);
  }
}

function namesOf(entries: ReadonlyMap<string, ConfigEntry>): string {
  return entries.size === 0 ? 'none' : [...entries.keys()].map((name) => `"${name}"`).join(', ');
}

function clusterPart(name: string, entry: ConfigEntry, options: ConnectionOptions): ConnectionConfig {
  const { value } = entry;
  const server = serverOf(name, entry);
  const authority = contentOf(entry, 'certificate-authority', `cluster "${name}"`);
  const insecure = value['insecure-skip-tls-verify'] === true;
  if (insecure && authority !== undefined) {
    throw new KubeconfigError(
      `cluster "${name}": certificate-authority and insecure-skip-tls-verify are mutually exclusive`,
    );
  }
  const proxyUrl = textOf(value['proxy-url']) ?? proxyFor(new URL(server), options.env ?? {});
  if (proxyUrl !== undefined && protocolOf(proxyUrl) !== 'http:')
    throw new KubeconfigError(`cluster "${name}": only http proxies are supported, not ${proxyUrl}`);
  const tlsServerName = textOf(value['tls-server-name']);
  return {
    server,
    ...(authority === undefined ? {} : { certificateAuthority: authority }),
    ...(insecure ? { insecureSkipTlsVerify: true } : {}),
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    ...(value['disable-compression'] === true ? { disableCompression: true } : {}),
  };
}

function serverOf(name: string, { value }: ConfigEntry): string {
  const server = textOf(value['server']) ?? '';
  if (/^https?:$/.test(protocolOf(server) ?? '')) return server;
  throw new KubeconfigError(`cluster "${name}": server must be an http or https URL, not ${JSON.stringify(server)}`);
}

function protocolOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).protocol : undefined;
}

function userPart(name: string, entry: ConfigEntry, cluster: ConfigEntry): Partial<ConnectionConfig> {
  const { value } = entry;
  const where = `user "${name}"`;
  const clientCertificate = contentOf(entry, 'client-certificate', where);
  const clientKey = contentOf(entry, 'client-key', where);
  if ((clientCertificate === undefined) !== (clientKey === undefined))
    throw new KubeconfigError(`${where}: a client certificate and its key must be set together`);
  const impersonate = impersonationOf(value);
  const exec = isObject(value['exec']) ? execPluginOf(value['exec'], entry.folder, cluster.value, where) : undefined;
  if (value['auth-provider'] !== undefined && value['auth-provider'] !== null)
    throw new KubeconfigError(`${where}: auth-provider is no longer supported; use an exec plugin`);
  return {
    ...(clientCertificate === undefined ? {} : { clientCertificate, clientKey }),
    ...bearerOrBasic(entry, where),
    ...(exec === undefined ? {} : { exec }),
    ...(impersonate === undefined ? {} : { impersonate }),
  };
}

function bearerOrBasic(entry: ConfigEntry, where: string): Partial<ConnectionConfig> {
  const { value } = entry;
  const tokenFile = textOf(value['tokenFile']);
  const token = textOf(value['token']);
  const username = textOf(value['username']);
  if (username !== undefined && (token !== undefined || tokenFile !== undefined))
    throw new KubeconfigError(`${where}: a token and basic authentication are mutually exclusive`);
  // Prefer the file, because it is kept current.
  if (tokenFile !== undefined) return { token: { file: resolvePath(tokenFile, entry.folder, where) } };
  if (token !== undefined) return { token: { data: token } };
  return username === undefined ? {} : { basic: { username, password: textOf(value['password']) ?? '' } };
}

function impersonationOf(value: JsonObject): Impersonation | undefined {
  const user = textOf(value['as']);
  if (user === undefined) return undefined;
  const uid = textOf(value['as-uid']);
  const extra = isObject(value['as-user-extra']) ? value['as-user-extra'] : {};
  return {
    user,
    ...(uid === undefined ? {} : { uid }),
    groups: textsOf(value['as-groups']),
    extra: new Map(Object.entries(extra).map(([key, values]) => [key, textsOf(values)])),
  };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Returns inline data or a file. Inline data takes precedence, as in kubectl. */
function contentOf(entry: ConfigEntry, field: string, where: string): Content | undefined {
  const data = textOf(entry.value[`${field}-data`]);
  if (data !== undefined) {
    if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(data)) throw new KubeconfigError(`${where}: ${field}-data is not base64`);
    return { data: Buffer.from(data, 'base64').toString('utf8') };
  }
  const path = textOf(entry.value[field]);
  return path === undefined ? undefined : { file: resolvePath(path, entry.folder, where) };
}

function resolvePath(path: string, folder: string | undefined, where: string): string {
  if (isAbsolute(path)) return path;
  if (folder === undefined)
    throw new KubeconfigError(`${where}: the path ${path} is relative, but the kubeconfig was not read from a file`);
  return join(folder, path);
}

function proxyFor(server: URL, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const names = server.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  const proxy = names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
  if (proxy === undefined || isLoopback(server.hostname)) return undefined;
  const exceptions = (env['NO_PROXY'] ?? env['no_proxy'] ?? '').split(',').map((part) => part.trim().toLowerCase());
  return exceptions.some((exception) => isExempt(server, exception)) ? undefined : proxy;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}

function isExempt(server: URL, exception: string): boolean {
  if (exception === '') return false;
  if (exception === '*' || exception === server.hostname || exception === server.host) return true;
  return server.hostname.endsWith(exception.startsWith('.') ? exception : `.${exception}`);
}
