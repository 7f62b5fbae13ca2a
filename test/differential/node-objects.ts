// The objects of the comparison of the node authorizer: pods of two nodes, and what they refer to.
export const core = '/api/v1/namespaces/default';
const image = 'example.com/image';

export const pod = (name: string, node: string, more: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { nodeName: node, containers: [{ name: 'c', image }], ...more },
});

export const named = (apiVersion: string, kind: string, name: string, more: object = {}): object => ({
  apiVersion,
  kind,
  metadata: { name },
  ...more,
});

const references = {
  serviceAccountName: 'builder',
  imagePullSecrets: [{ name: 'pull' }],
  containers: [
    {
      name: 'c',
      image,
      env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'env', key: 'a' } } }],
      envFrom: [{ configMapRef: { name: 'settings' } }],
    },
  ],
  volumes: [
    { name: 's', secret: { secretName: 'mounted' } },
    {
      name: 'p',
      projected: {
        sources: [{ configMap: { name: 'projected' } }, { serviceAccountToken: { path: 't', audience: 'vault' } }],
      },
    },
    { name: 'd', persistentVolumeClaim: { claimName: 'data' } },
  ],
};

const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: '' };
const volume = (name: string, claim: string, secret: string): object =>
  named('v1', 'PersistentVolume', name, {
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      claimRef: { namespace: 'default', name: claim },
      csi: {
        driver: 'csi.example.com',
        volumeHandle: name,
        nodeStageSecretRef: { namespace: 'default', name: secret },
        controllerPublishSecretRef: { namespace: 'default', name: 'controller-only' },
      },
    },
  });

export const secretNames = ['pull', 'env', 'mounted', 'other', 'staged', 'other-staged', 'controller-only', 'mirrored'];

export const objects: readonly (readonly [path: string, object: object])[] = [
  ['/api/v1/namespaces', named('v1', 'Namespace', 'kube-node-lease')],
  ['/api/v1/nodes', named('v1', 'Node', 'node-a')],
  ['/api/v1/nodes', named('v1', 'Node', 'node-b')],
  ...['builder', 'other', 'default'].map(
    (name) => [`${core}/serviceaccounts`, named('v1', 'ServiceAccount', name)] as const,
  ),
  ...secretNames.map((name) => [`${core}/secrets`, named('v1', 'Secret', name)] as const),
  ...['settings', 'projected', 'other'].map((name) => [`${core}/configmaps`, named('v1', 'ConfigMap', name)] as const),
  ...['data', 'other'].map(
    (name) =>
      [`${core}/persistentvolumeclaims`, named('v1', 'PersistentVolumeClaim', name, { spec: claimSpec })] as const,
  ),
  ['/api/v1/persistentvolumes', volume('volume-a', 'data', 'staged')],
  ['/api/v1/persistentvolumes', volume('volume-b', 'other', 'other-staged')],
  [`${core}/pods`, pod('on-a', 'node-a', references)],
  [
    `${core}/pods`,
    pod(
      'on-b',
      'node-b',
      { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'other' } }] },
      { labels: { a: 'b' } },
    ),
  ],
  ...['node-a', 'node-b'].map(
    (name) =>
      [
        '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
        named('coordination.k8s.io/v1', 'Lease', name),
      ] as const,
  ),
  ...['node-a', 'node-b'].map(
    (nodeName) =>
      [
        '/apis/storage.k8s.io/v1/volumeattachments',
        named('storage.k8s.io/v1', 'VolumeAttachment', `attached-${nodeName}`, {
          spec: { attacher: 'csi.example.com', nodeName, source: { persistentVolumeName: 'volume-a' } },
        }),
      ] as const,
  ),
];
