import { labels } from '@slipway/cluster-api';
import { parseObjects, placeObjects, processTemplate, type ProviderType } from '@slipway/clusterctl';
import type { KubeObject } from '@slipway/kube';
import type { ReleaseAssets } from '../install/providers.js';
import { type SplitComponents, splitComponents } from '../install/service-ca.js';
import { namespaces } from '../names.js';

export interface ProviderComponents {
  /** Definitions and roles, which come with the release. */
  readonly shipped: readonly KubeObject[];
  /** What the provider operator installs. */
  readonly carried: readonly KubeObject[];
}

/** Of all providers of a release, as they are in the namespace of Cluster API. */
export function componentsOf({ core, infrastructure }: ReleaseAssets): ProviderComponents {
  const split = [
    splitProvider('CoreProvider', 'cluster-api', core.components),
    ...[...infrastructure].map(([name, { components }]) => splitProvider('InfrastructureProvider', name, components)),
  ];
  return {
    shipped: split.flatMap(({ shipped }) => shipped.map(outOfReach)),
    carried: split.flatMap(({ carried }) => carried),
  };
}

function splitProvider(type: ProviderType, name: string, components: string): ProviderComponents {
  const texts = splitComponents(components);
  const objectsOf = (part: keyof SplitComponents): readonly KubeObject[] =>
    placeObjects(parseObjects(processTemplate(texts[part], () => undefined)), {
      type,
      name,
      namespace: namespaces.clusterApi,
    }).filter(({ kind }) => kind !== 'Namespace');
  return { shipped: objectsOf('shipped'), carried: objectsOf('carried') };
}

/** By its labels a provider is deleted before it is upgraded: roles would go with it, and nobody there could make them again. */
function outOfReach(object: KubeObject): KubeObject {
  if (object.kind === 'CustomResourceDefinition') return object;
  const { [labels.provider]: _provider, ...kept } = object.metadata.labels ?? {};
  return { ...object, metadata: { ...object.metadata, labels: kept } };
}
