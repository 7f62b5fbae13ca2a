import {
  type BuiltinProvider,
  type ClusterctlConfig,
  ClusterctlError,
  type FetchWorld,
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

export interface PreloadWorld extends FetchWorld {
  readonly builtin: readonly BuiltinProvider[];
  /** Of the user: where releases are, and credentials. */
  readonly config: ClusterctlConfig;
}

/** The ConfigMaps with a release of a provider, for a cluster without a network. */
export async function preloadManifests(
  { type, name, namespace, version }: PreloadReference,
  world: PreloadWorld,
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
  return fetched(provider, world);
}

/** The same for each provider that a cluster has, with the version and from the place that its object names. */
export async function preloadExisting(read: Reader, world: PreloadWorld): Promise<readonly ConfigMap[]> {
  const { builtin, signal } = world;
  const request = signal === undefined ? {} : { signal };
  const maps: ConfigMap[] = [];
  for (const type of providerTypes) {
    const { items } = await read.list(providerResources[type], request);
    for (const provider of items) {
      // Its manifests are in ConfigMaps already.
      if (provider.spec?.fetchConfig?.selector !== undefined) continue;
      const hasSecret = provider.spec?.configSecret !== undefined;
      const variables = variablesOf((await readConfigSecret(read, provider, request)) ?? {});
      const { config } = readOperatorConfig(provider, { text: '', variables, builtin });
      maps.push(...(await fetched(provider, hasSecret ? { ...world, config } : world)));
    }
  }
  return maps;
}

/** What the operator would tell in a condition is told to the user. */
async function fetched(provider: FrozenProvider, world: PreloadWorld): Promise<readonly ConfigMap[]> {
  try {
    return await fetchMaps(provider, world);
  } catch (error) {
    if (!(error instanceof PhaseError)) throw error;
    throw new ClusterctlError(error.message, { cause: error });
  }
}

async function fetchMaps(provider: FrozenProvider, world: PreloadWorld): Promise<readonly ConfigMap[]> {
  const { config, builtin } = world;
  const origin = originOf(provider, { urlOf: (each) => releaseUrl(each, config, builtin) });
  if (origin === undefined) return [];
  const release = await fetchRelease(provider, origin, { config }, world);
  const { name = '', namespace = '' } = provider.metadata;
  // From wherever it came here: there it counts as fetched, and nobody asks the network for it again.
  const source = origin.isOci ? { source: origin } : {};
  return manifestConfigMaps({ type: provider.kind, name }, release, { namespace, ...source });
}
