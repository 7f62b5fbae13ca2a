import { join } from 'node:path';
import type { JsonObject } from '@slipway/kube';
import type { ExecPlugin } from '../client/index.js';
import { isObject, KubeconfigError, textOf } from './kubeconfig.js';

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const;
const interactiveModes = ['Never', 'IfAvailable', 'Always'] as const;
const clusterExtension = 'client.authentication.k8s.io/exec';

export function execPluginOf(
  exec: JsonObject,
  folder: string | undefined,
  cluster: JsonObject,
  where: string,
): ExecPlugin {
  const command = textOf(exec['command']);
  if (command === undefined) throw new KubeconfigError(`${where}: exec.command is required`);
  const apiVersion = versions.find((version) => version === exec['apiVersion']);
  if (apiVersion === undefined)
    throw new KubeconfigError(
      `${where}: unsupported exec apiVersion ${JSON.stringify(exec['apiVersion'] ?? '')}; supported: ${versions.join(' and ')}`,
    );
  const installHint = textOf(exec['installHint']);
  return {
    apiVersion,
    // A command with a slash is a path relative to the kubeconfig. Any other command is looked up in PATH.
    command:
      command.includes('/') && !command.startsWith('/') && folder !== undefined ? join(folder, command) : command,
    args: Array.isArray(exec['args']) ? exec['args'].map(String) : [],
    env: envOf(exec['env']),
    provideClusterInfo: exec['provideClusterInfo'] === true,
    interactiveMode: interactiveModeOf(exec['interactiveMode'], apiVersion, where),
    ...(installHint === undefined ? {} : { installHint }),
    ...clusterConfigOf(cluster),
  };
}

function envOf(env: unknown): ExecPlugin['env'] {
  if (!Array.isArray(env)) return [];
  return env.filter(isObject).map((item) => ({ name: textOf(item['name']) ?? '', value: textOf(item['value']) ?? '' }));
}

function interactiveModeOf(mode: unknown, apiVersion: string, where: string): ExecPlugin['interactiveMode'] {
  const known = interactiveModes.find((one) => one === mode);
  if (known !== undefined) return known;
  if (mode === undefined && apiVersion === versions[1]) return 'IfAvailable';
  throw new KubeconfigError(`${where}: exec.interactiveMode must be one of ${interactiveModes.join(', ')}`);
}

function clusterConfigOf(cluster: JsonObject): { clusterConfig?: unknown } {
  const extensions = Array.isArray(cluster['extensions']) ? cluster['extensions'].filter(isObject) : [];
  const found = extensions.find((extension) => extension['name'] === clusterExtension);
  return found === undefined ? {} : { clusterConfig: found['extension'] };
}
