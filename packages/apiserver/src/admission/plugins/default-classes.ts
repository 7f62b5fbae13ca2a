import type { Frozen, KubeObject } from '@slipway/kube';
import type { AdmissionPlugin, Store } from '../../contract/index.js';
import { specOf, writes } from './pod-request.js';

/** Sets the default StorageClass of PersistentVolumeClaims. */
export function defaultStorageClass(store: Store): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    handles: (request) => writes(request, 'persistentvolumeclaims', ['CREATE']),
    mutate({ object }) {
      if (object === undefined || has(object, 'volume.beta.kubernetes.io/storage-class')) return;
      const spec = specOf(object);
      if (spec['storageClassName'] !== undefined && spec['storageClassName'] !== null) return;
      const chosen = defaultOf(store, 'storage.k8s.io/storageclasses', [
        'storageclass.kubernetes.io/is-default-class',
        'storageclass.beta.kubernetes.io/is-default-class',
      ]);
      if (chosen !== undefined) spec['storageClassName'] = chosen;
    },
  };
}

/** Sets the default IngressClass of Ingresses. */
export function defaultIngressClass(store: Store): AdmissionPlugin {
  return {
    name: 'DefaultIngressClass',
    handles: (request) => writes(request, 'networking.k8s.io/ingresses', ['CREATE']),
    mutate({ object }) {
      if (object === undefined || has(object, 'kubernetes.io/ingress.class')) return;
      const spec = specOf(object);
      if (spec['ingressClassName'] !== undefined && spec['ingressClassName'] !== null) return;
      const chosen = defaultOf(store, 'networking.k8s.io/ingressclasses', [
        'ingressclass.kubernetes.io/is-default-class',
      ]);
      if (chosen !== undefined) spec['ingressClassName'] = chosen;
    },
  };
}

function has(object: KubeObject, annotation: string): boolean {
  return Object.hasOwn(object.metadata.annotations ?? {}, annotation);
}

/** Returns the default class. If several are marked as default, returns the newest one, then the first by name. */
function defaultOf(store: Store, resource: string, annotations: readonly string[]): string | undefined {
  const defaults = store
    .list({ resource })
    .map((stored) => stored.object)
    .filter((object) => annotations.some((annotation) => object.metadata.annotations?.[annotation] === 'true'))
    .sort(newestFirst);
  return defaults[0]?.metadata.name;
}

function newestFirst(left: Frozen<KubeObject>, right: Frozen<KubeObject>): number {
  const [created, other] = [left.metadata.creationTimestamp ?? '', right.metadata.creationTimestamp ?? ''];
  if (created !== other) return created < other ? 1 : -1;
  return (left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1;
}
