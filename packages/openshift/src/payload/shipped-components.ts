import { labels } from '@slipway/cluster-api';
import { parseObjects, placeObjects, processTemplate, type ProviderType } from '@slipway/clusterctl';
import type { KubeObject } from '@slipway/kube';
import type { ReleaseAssets } from '../install/providers.js';
import { type SplitComponents, splitComponents } from '../install/service-ca.js';
import { namespaces } from '../names.js';

export interface ProviderComponents {
  /** CRDs and roles, which the release ships. */
  readonly shipped: readonly KubeObject[];
  /** Components that the provider operator installs. */
  readonly carried: readonly KubeObject[];
}

/** Returns the components of all providers of a release, in the Cluster API namespace. */
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

/**
 * Removes the provider labels from an object that the release ships: an upgrade deletes objects by label, and the operator cannot
 * re-create roles.
 */
function outOfReach(object: KubeObject): KubeObject {
  if (object.kind === 'CustomResourceDefinition') return object;
  const { [labels.provider]: _provider, ...kept } = object.metadata.labels ?? {};
  return { ...object, metadata: { ...object.metadata, labels: kept } };
}
