import type { Disposable } from '@slipway/base';
import { deepEqual } from '@slipway/kube';
import { type ControllerDependencies, coreResources, thaw } from '../shared/index.js';
import { startNamespaceObject } from './per-namespace.js';

const name = 'kube-root-ca.crt';
const descriptionKey = 'kubernetes.io/description';
const description = 'CA certificate with which clients in the cluster verify the API server.';

/** Publishes the CA certificate to every namespace, where pods can mount it. */
export function startRootCertificates(dependencies: ControllerDependencies, authorityPem: string): Disposable {
  const data = { 'ca.crt': authorityPem };
  return startNamespaceObject(dependencies, 'root-certificates', {
    resource: coreResources.configMaps,
    name,
    desired: (namespace) => ({
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
