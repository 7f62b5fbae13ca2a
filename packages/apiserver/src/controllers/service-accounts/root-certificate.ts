import type { Disposable } from '@slipway/base';
import { deepEqual } from '@slipway/kube';
import { type ControllerWorld, coreResources, thaw } from '../shared/index.js';
import { startNamespaceObject } from './per-namespace.js';

const name = 'kube-root-ca.crt';
const descriptionKey = 'kubernetes.io/description';
const description = 'The certificate authority by which clients inside the cluster know its API server.';

/** Every namespace has the authority's certificate, where pods can mount it. */
export function startRootCertificates(world: ControllerWorld, authorityPem: string): Disposable {
  const data = { 'ca.crt': authorityPem };
  return startNamespaceObject(world, 'root-certificates', {
    resource: coreResources.configMaps,
    name,
    wanted: (namespace) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, annotations: { [descriptionKey]: description } },
      data: { ...data },
    }),
    repaired(present) {
      const { annotations = {} } = present.metadata;
      if (deepEqual(present['data'], data) && (annotations[descriptionKey] ?? '') !== '') return undefined;
      const next = thaw(present);
      next['data'] = { ...data };
      next.metadata.annotations = { ...annotations, [descriptionKey]: description };
      return next;
    },
  });
}
