import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  labelOf,
  namespaceOf,
  type ProviderDeployment,
  providerObjects,
  stringifyManifest,
  webhookServiceName,
} from '@slipway/clusterctl';
import {
  caBundleTargetsOf,
  definitionsByWebhook,
  mutatingConfiguration,
  validatingConfiguration,
} from '@slipway/plane';
import {
  type CaBundleTargets,
  composeControllers,
  createHttpClient,
  type PolicyRule,
  type Resource,
  selectControllers,
  type WebhookClientConfig,
} from '@slipway/runtime';
import { CliError } from '../errors/index.js';
import { dataDirectory, machineFolders } from '../instance/index.js';
import { ownImages, relatedImages } from '../own-images.js';
import { devHostVariable, loadControllerBundle } from './controller-bundle.js';
import { listedProviders, providerOperator, type VersionedProvider, withVersion } from './provider-list.js';
import type { ProviderParts } from './provider-parts.js';
import { partsOf, restrictBundle } from './restrict-bundle.js';

/** Returns the components manifest of a provider, generated from its controllers and CRDs. */
export async function componentsText(label: string): Promise<string> {
  return stringifyManifest(providerObjects(await deploymentOf(label)));
}

async function deploymentOf(label: string): Promise<ProviderDeployment> {
  const listed = [...listedProviders(), withVersion(providerOperator)].find(
    (each) => labelOf(each) === label,
  ) as VersionedProvider;
  const parts = partsOf(label);
  const dependencies = { clock: systemClock, random: systemRandom, logger: silentLogger };
  // The client is never called: controllers and webhooks are constructed only to read their metadata.
  const client = createHttpClient({ server: 'https://kubernetes.default.svc' });
  const bundle = restrictBundle(
    loadControllerBundle({ ...dependencies, ...machineFolders(dataDirectory(undefined)) }),
    [label],
  );
  const chosen = selectControllers(bundle.sets, { featureGates: 'AllAlpha=true,AllBeta=true' });
  const composition = composeControllers({ chosen, client, ...dependencies });
  try {
    const kindSet = bundle.kinds?.({ client, findDefinition: () => undefined });
    if (kindSet === undefined) throw new Error(`provider ${label} has no CRDs`);
    const at = (path: string): WebhookClientConfig => ({
      service: { namespace: namespaceOf(listed), name: webhookServiceName(listed), path },
    });
    return {
      ...listed,
      image: imageOf(parts),
      ...(parts.plugin !== undefined && { plugin: parts.plugin }),
      ...(listed.name === 'kvm' && { relatedImages: { [relatedImages.vmm]: ownImages.vmm } }),
      ...(listed.name === 'dev' && { hostVariable: devHostVariable }),
      featureGates: parts.featureGates ?? {},
      definitions: definitionsByWebhook(kindSet, at),
      webhookConfigurations: [mutatingConfiguration(kindSet, at), validatingConfiguration(kindSet, at)],
      rules: managerRules(composition.watched, parts.writes, {
        ...caBundleTargetsOf(kindSet),
        customResourceDefinitions: kindSet.kinds.map(({ plural, group }) => `${plural}.${group}`),
      }),
      aggregates: parts.aggregates ?? [],
    };
  } finally {
    await composition.dispose();
    await bundle.dispose?.();
    client.close();
  }
}

function imageOf({ plugin, image }: ProviderParts): string {
  if (plugin === undefined || image !== undefined) return image ?? ownImages.manager;
  throw new CliError(`the plugin ${plugin} does not name an image, so its manager cannot be deployed`, {
    remedy: 'build an image with Slipway and the plugin, and set `image` in definePlugin',
  });
}

/**
 * Returns the minimal RBAC rules of a manager: read what its controllers watch, write what they write, update its CRDs and
 * webhook configurations, and authorize metrics requests.
 */
function managerRules(watched: readonly Resource[], writes: readonly PolicyRule[], own: CaBundleTargets): PolicyRule[] {
  const definitions = [...(own.customResourceDefinitions ?? [])].sort();
  return [
    ...watchRules(watched),
    ...writes,
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get', 'list', 'watch'] },
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions', 'customresourcedefinitions/status'],
      resourceNames: definitions,
      verbs: ['update', 'patch'],
    },
    ...webhookRules('mutatingwebhookconfigurations', own.mutating),
    ...webhookRules('validatingwebhookconfigurations', own.validating),
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ];
}

/** Merges rules into one per API group. */
function watchRules(watched: readonly Resource[]): PolicyRule[] {
  const groups = new Map<string, Set<string>>();
  for (const { group, plural } of watched) groups.set(group, (groups.get(group) ?? new Set()).add(plural));
  return [...groups]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([group, plurals]) => ({
      apiGroups: [group],
      resources: [...plurals].sort(),
      verbs: ['get', 'list', 'watch'],
    }));
}

function webhookRules(resource: string, names: readonly string[] = []): PolicyRule[] {
  if (names.length === 0) return [];
  return [
    {
      apiGroups: ['admissionregistration.k8s.io'],
      resources: [resource],
      resourceNames: [...names],
      verbs: ['get', 'update'],
    },
  ];
}
