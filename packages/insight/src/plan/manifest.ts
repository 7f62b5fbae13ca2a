import { clusters } from '@slipway/cluster-api';
import { type KubeObject, ManifestShapeError, parseManifest, YamlError } from '@slipway/kube';
import { ManifestError } from './apply-objects.js';
import type { StateScope } from './read-state.js';

/** The objects of a manifest, each with its name. `source` names the manifest in what goes wrong. */
export function readManifest(text: string, source: string): KubeObject[] {
  try {
    return parseManifest(text, { needsNames: true });
  } catch (error) {
    if (error instanceof YamlError)
      throw new ManifestError(`${source}: ${error.message}`, { remedy: 'correct the YAML', cause: error });
    if (!(error instanceof ManifestShapeError)) throw error;
    const remedy = 'every object needs an apiVersion, a kind and a name of its own';
    throw new ManifestError(`${source}, ${error.message}`, { remedy, cause: error });
  }
}

/** The part of the management cluster that a manifest can touch. */
export function scopeOf(objects: readonly KubeObject[], namespace: string): StateScope {
  const namespaces = new Set<string>();
  const named = new Set<string>();
  let isWide = false;
  for (const object of objects) {
    const own = object.kind === 'Namespace' ? (object.metadata.name ?? '') : (object.metadata.namespace ?? namespace);
    namespaces.add(own);
    const cluster = clusterIn(object);
    if (cluster === undefined) isWide = true;
    else named.add(`${own}/${cluster}`);
  }
  // What belongs to no one Cluster, such as a template or a class, may be used by any.
  return isWide ? { namespaces: [...namespaces] } : { namespaces: [...namespaces], clusters: named };
}

function clusterIn(object: KubeObject): string | undefined {
  if (object.kind === clusters.kind) return object.metadata.name;
  const { spec } = object as { spec?: { clusterName?: unknown } };
  if (typeof spec?.clusterName === 'string') return spec.clusterName;
  return object.metadata.labels?.['cluster.x-k8s.io/cluster-name'];
}
