import type { KubeObject } from '@slipway/kube';
import { csiDeployment, csiDriverName, csiNamespace } from '../api/index.js';
import { compareVersions } from '../matrix/index.js';
import { csiAccess } from './csi-access.js';
import { csiController } from './csi-controller.js';
import { csiImages } from './csi-images.js';
import { csiLinuxNode, csiWindowsNode } from './csi-node.js';

/** Returns the objects of the storage driver in one version, without its configuration, which is rendered separately. */
export function csiManifest(version: string): KubeObject[] {
  const images = csiImages(version);
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: csiNamespace } },
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: csiDriverName },
      spec: { attachRequired: true, podInfoOnMount: false },
    },
    ...csiAccess(),
    featureStates(version),
    service(),
    csiController(images),
    csiLinuxNode(images),
    csiWindowsNode(images),
  ];
}

/**
 * Returns the ConfigMap with feature states of the driver. Most of them were removed in 3.2. Until 3.0, one of them lets the
 * driver run without a cloud provider.
 */
function featureStates(version: string): KubeObject {
  const isAtLeast = (other: string): boolean => compareVersions(version, other) >= 0;
  const data: Record<string, string> = isAtLeast('3.2.0')
    ? { 'pv-to-backingdiskobjectid-mapping': 'false', 'trigger-csi-fullsync': 'false' }
    : {
        'trigger-csi-fullsync': 'false',
        'pv-to-backingdiskobjectid-mapping': 'false',
        'csi-migration': 'true',
        'csi-auth-check': 'true',
        'online-volume-extend': 'true',
        'async-query-volume': 'true',
        'block-volume-snapshot': 'true',
        'csi-windows-support': 'true',
        'list-volumes': 'true',
        'cnsmgr-suspend-create-volume': 'true',
        'topology-preferential-datastores': 'true',
        'max-pvscsi-targets-per-vm': 'true',
      };
  if (!isAtLeast('3.1.0')) data['use-csinode-id'] = 'true';
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `internal-feature-states.${csiDriverName}`, namespace: csiNamespace },
    data,
  };
}

function service(): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: csiDeployment, namespace: csiNamespace, labels: { app: csiDeployment } },
    spec: {
      ports: [
        { name: 'ctlr', port: 2112, targetPort: 2112, protocol: 'TCP' },
        { name: 'syncer', port: 2113, targetPort: 2113, protocol: 'TCP' },
      ],
      selector: { app: csiDeployment },
    },
  };
}
