import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, resolve } from 'node:path';
import type { ConnectionConfig } from '../client/index.js';
import { type ConnectionOptions, connectionOf, type ContextConfig } from './connection-of.js';
import { type Kubeconfig, KubeconfigError, mergeKubeconfigs, parseKubeconfig } from './kubeconfig.js';

export interface LoadOptions extends ConnectionOptions {
  /** Path of a kubeconfig that must exist. Defaults to the files in KUBECONFIG, or else ~/.kube/config. */
  readonly file?: string;
}

const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Loads and merges kubeconfig files by the rules of kubectl. */
export function loadKubeconfig(options: LoadOptions = {}): Kubeconfig {
  if (options.file !== undefined) return readKubeconfig(options.file);
  const env = options.env ?? {};
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const paths = listed.length > 0 ? listed : [`${env['HOME'] ?? homedir()}/.kube/config`];
  // Missing files of KUBECONFIG are ignored, as long as one exists.
  const present = paths.filter((path) => existsSync(path));
  if (present.length === 0) throw new KubeconfigError(`no kubeconfig found: looked for ${paths.join(', ')}`);
  return mergeKubeconfigs(present.map(readKubeconfig));
}

function readKubeconfig(path: string): Kubeconfig {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new KubeconfigError(`cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`, {
      cause: error,
    });
  }
  return parseKubeconfig(text, path, dirname(resolve(path)));
}

/** Returns the connection of the current Pod's service account, or undefined outside a Pod. */
export function inClusterConfig(
  env: Readonly<Record<string, string | undefined>>,
  folder = serviceAccountFolder,
): ContextConfig | undefined {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (host === undefined || port === undefined || host === '' || port === '') return undefined;
  if (!existsSync(`${folder}/token`)) return undefined;
  const connection: ConnectionConfig = {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    token: { file: `${folder}/token` },
    ...(existsSync(`${folder}/ca.crt`) ? { certificateAuthority: { file: `${folder}/ca.crt` } } : {}),
  };
  const namespace = existsSync(`${folder}/namespace`) ? readFileSync(`${folder}/namespace`, 'utf8').trim() : 'default';
  return { ...connection, context: 'in-cluster', namespace };
}

/** Returns the connection of a manager: the given file, or else the Pod's service account, or else kubectl's default files. */
export function findConnection(options: LoadOptions = {}): ContextConfig {
  const env = options.env ?? {};
  if (options.file === undefined && (env['KUBECONFIG'] ?? '') === '') {
    const inCluster = inClusterConfig(env);
    if (inCluster !== undefined) return inCluster;
  }
  return connectionOf(loadKubeconfig(options), options);
}
