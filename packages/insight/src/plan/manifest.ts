import { clusters } from '@slipway/cluster-api';
import { type KubeObject, parseYamlDocuments, YamlError } from '@slipway/kube';
import { ManifestError } from './apply-objects.js';
import type { StateScope } from './read-state.js';

/** The objects of a manifest, Lists taken apart. `source` names it in what goes wrong. */
export function parseManifest(text: string, source: string): KubeObject[] {
  let documents: readonly { readonly value: unknown }[];
  try {
    documents = parseYamlDocuments(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new ManifestError(`${source}: ${error.message}`, { remedy: 'correct the YAML', cause: error });
  }
  return documents.flatMap(({ value }, index) => objectsIn(value, `${source}, document ${index + 1}`));
}

function objectsIn(value: unknown, where: string): KubeObject[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ManifestError(`${where}: it is no object`);
  const object = value as Partial<KubeObject> & { readonly items?: unknown };
  if (typeof object.kind !== 'string' || typeof object.apiVersion !== 'string')
    throw new ManifestError(`${where}: apiVersion and kind are missing`);
  if (object.kind.endsWith('List') && Array.isArray(object.items))
    return object.items.flatMap((item, index) => objectsIn(item, `${where}, item ${index + 1}`));
  if (typeof object.metadata?.name !== 'string' || object.metadata.name === '')
    throw new ManifestError(`${where}: metadata.name is missing`, {
      remedy: 'objects whose name the server makes up cannot be applied',
    });
  return [object as KubeObject];
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
