import {
  type BuiltinProvider,
  type ClusterctlConfig,
  ClusterctlError,
  type FetchDependencies,
  providerTypes,
} from '@slipway/clusterctl';
import type { Reader, ConfigMap } from '@slipway/runtime';
import { type FrozenProvider, providerResources } from '../api/index.js';
import { readOperatorConfig, releaseUrl } from '../configuration/operator-config.js';
import { readConfigSecret, variablesOf } from '../configuration/variables.js';
import { fetchRelease, originOf } from '../manifests/fetch-release.js';
import { manifestConfigMaps } from '../manifests/release-manifests.js';
import { PhaseError } from '../phase-error.js';
import type { PreloadReference } from './preload-reference.js';

export interface PreloadDependencies extends FetchDependencies {
  readonly builtin: readonly BuiltinProvider[];
  /** The user's configuration with repositories and credentials. */
  readonly config: ClusterctlConfig;
}

/** Returns ConfigMaps with a release of a provider, for an air-gapped cluster. */
export async function preloadManifests(
  { type, name, namespace, version }: PreloadReference,
  dependencies: PreloadDependencies,
  artifactUrl?: string,
): Promise<readonly ConfigMap[]> {
  const spec = {
    ...(version !== undefined && { version }),
    ...(artifactUrl !== undefined && { fetchConfig: { oci: artifactUrl } }),
  };
  const provider: FrozenProvider = {
    apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
    kind: type,
    metadata: { name, namespace },
    spec,
  };
  return fetched(provider, dependencies);
}

/** Returns ConfigMaps for each provider object of a cluster, with its version and source. */
export async function preloadExisting(read: Reader, dependencies: PreloadDependencies): Promise<readonly ConfigMap[]> {
  const { builtin, signal } = dependencies;
  const request = signal === undefined ? {} : { signal };
  const maps: ConfigMap[] = [];
  for (const type of providerTypes) {
    const { items } = await read.list(providerResources[type], request);
    for (const provider of items) {
      // With a selector, the manifests already are in ConfigMaps.
      if (provider.spec?.fetchConfig?.selector !== undefined) continue;
      const hasSecret = provider.spec?.configSecret !== undefined;
      const variables = variablesOf((await readConfigSecret(read, provider, request)) ?? {});
      const { config } = readOperatorConfig(provider, { text: '', variables, builtin });
      maps.push(...(await fetched(provider, hasSecret ? { ...dependencies, config } : dependencies)));
    }
  }
  return maps;
}

/** Fetches the release of a provider. Errors that the operator would report in a condition become CLI errors. */
async function fetched(provider: FrozenProvider, dependencies: PreloadDependencies): Promise<readonly ConfigMap[]> {
  try {
    return await fetchMaps(provider, dependencies);
  } catch (error) {
    if (!(error instanceof PhaseError)) throw error;
    throw new ClusterctlError(error.message, { cause: error });
  }
}

async function fetchMaps(provider: FrozenProvider, dependencies: PreloadDependencies): Promise<readonly ConfigMap[]> {
  const { config, builtin } = dependencies;
  const origin = originOf(provider, { urlOf: (each) => releaseUrl(each, config, builtin) });
  if (origin === undefined) return [];
  const release = await fetchRelease(provider, origin, { config }, dependencies);
  const { name = '', namespace = '' } = provider.metadata;
  // Only an OCI source is recorded: the operator treats manifests without a source as fetched and does not fetch them again.
  const source = origin.isOci ? { source: origin } : {};
  return manifestConfigMaps({ type: provider.kind, name }, release, { namespace, ...source });
}
