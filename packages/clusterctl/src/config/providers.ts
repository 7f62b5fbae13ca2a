import { checkDns1123Label, type JsonValue } from '@slipway/kube';
import { ClusterctlError } from '../clusterctl-error.js';
import {
  compareProviders,
  isProviderType,
  isSameProvider,
  type ProviderConfig,
  providerTypes,
} from '../provider/index.js';

/** Merges `providers:` of the file with the built-in providers, by name and type. URLs may contain environment variables. */
export function readProviders(
  setting: JsonValue | undefined,
  builtin: readonly ProviderConfig[],
  env: NodeJS.ProcessEnv,
): readonly ProviderConfig[] {
  if (setting === undefined || setting === null) return [...builtin].sort(compareProviders);
  if (!Array.isArray(setting)) throw invalid('providers must be a list');
  const own = setting.map((entry, index) => readProvider(entry as JsonValue, index, env));
  const kept = builtin.filter((provider) => !own.some((each) => isSameProvider(each, provider)));
  return [...kept, ...own].sort(compareProviders);
}

function readProvider(entry: JsonValue, index: number, env: NodeJS.ProcessEnv): ProviderConfig {
  const { name, type, url } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
  const fail = (problem: string): ClusterctlError => invalid(`providers[${index}]: ${problem}`);
  if (typeof name !== 'string' || name === '') throw fail('name value cannot be empty');
  const [problem] = checkDns1123Label(name);
  if (problem !== undefined) throw fail(`invalid provider name "${name}": ${problem}`);
  if (!isProviderType(type)) throw fail(`type ${JSON.stringify(type ?? '')} is not one of ${providerTypes.join(', ')}`);
  if (typeof url !== 'string' || url === '') throw fail('provider URL value cannot be empty');
  if ((name === 'cluster-api') !== (type === 'CoreProvider'))
    throw fail(`name cluster-api must be used with the CoreProvider type, and no other (name: ${name}, type: ${type})`);
  return { name, type, url: expand(url, env) };
}

/** Expands `$NAME` and `${NAME}` like a shell. */
function expand(url: string, env: NodeJS.ProcessEnv): string {
  return url.replaceAll(
    /\$(?:\{(\w+)\}|(\w+))/g,
    (_whole, braced?: string, bare?: string) => env[braced ?? bare ?? ''] ?? '',
  );
}

function invalid(problem: string): ClusterctlError {
  return new ClusterctlError(`error in the clusterctl config file: ${problem}`);
}
