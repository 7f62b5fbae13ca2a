import { type Frozen, isFields, type KubeObject, listAt, notFound, quoteGo, recordAt, textAt } from '@slipway/kube';
import type { Store } from '../../contract/index.js';
import { nodeOf } from './node-pods.js';
import { isMirrorPod, mirrorPodAnnotation, referencesOf } from './pod-references.js';

/** Returns why a node must not create a pod, or undefined. It may only create mirror pods of itself that refer to nothing. */
export function checkMirrorPod(store: Store, node: string, pod: Frozen<KubeObject> | undefined): string | undefined {
  const text = quoteGo(node);
  if (!isMirrorPod(pod))
    return `pod does not have ${quoteGo(mirrorPodAnnotation)} annotation, node ${text} can only create mirror pods`;
  if (nodeOf(pod) !== node) return `node ${text} can only create pods with spec.nodeName set to itself`;
  const owner = checkOwner(store, node, pod);
  if (owner !== undefined) return owner;
  const reference = pod && referenceOf(pod);
  return reference === undefined ? undefined : `node ${text} can not create pods that reference ${reference}`;
}

function checkOwner(store: Store, node: string, pod: Frozen<KubeObject> | undefined): string | undefined {
  const text = quoteGo(node);
  const [owner, ...others] = pod?.metadata.ownerReferences ?? [];
  if (others.length > 0) return `node ${text} can only create pods with a single owner reference set to itself`;
  if (owner === undefined || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return `node ${text} can only create pods with an owner reference set to itself`;
  if (owner.controller !== true)
    return `node ${text} can only create pods with a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion === true) return `node ${text} must not set blockOwnerDeletion on an owner reference`;
  const uid = store.get({ resource: 'nodes', namespace: '', name: node })?.object.metadata.uid;
  if (uid === undefined) throw notFound({ group: '', resource: 'node' }, node);
  return owner.uid === uid ? undefined : `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`;
}

/** Volumes that need no object of the API. */
const plainVolumes = new Set(
  'awsElasticBlockStore,azureDisk,cephfs,cinder,downwardAPI,emptyDir,fc,flexVolume,flocker,gcePersistentDisk,gitRepo,hostPath,image,iscsi,nfs,photonPersistentDisk,portworxVolume,quobyte,rbd,scaleIO,storageos,vsphereVolume'.split(
    ',',
  ),
);

const volumeReferences: Readonly<Record<string, string>> = {
  csi: 'csidrivers (via CSI volumes)',
  glusterfs: 'endpoints (via glusterFS volumes)',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims (via ephemeral volumes)',
};

const projectedReferences: Readonly<Record<string, string>> = {
  serviceAccountToken: 'serviceaccounts (via projected volumes)',
  clusterTrustBundle: 'clustertrustbundles',
  podCertificate: 'podcertificates',
};

/** Returns the type of the first object of the API to which a pod refers, or undefined. */
function referenceOf(pod: Frozen<KubeObject>): string | undefined {
  const spec = recordAt(pod, 'spec');
  if (textAt(spec, 'serviceAccountName') !== '') return 'serviceaccounts';
  const { annotations: _mirror, ...metadata } = pod.metadata;
  const { secrets, configMaps } = referencesOf({ ...pod, metadata });
  if (secrets.size > 0) return 'secrets';
  if (configMaps.size > 0) return 'configmaps';
  if (listAt(spec, 'resourceClaims').length > 0) return 'resourceclaims';
  for (const volume of listAt(spec, 'volumes').filter(isFields)) {
    const kind = Object.keys(volume).find((name) => name !== 'name' && volume[name] !== undefined) ?? '';
    if (plainVolumes.has(kind)) continue;
    if (kind !== 'projected') return volumeReferences[kind] ?? `volumes of the type ${quoteGo(kind)}`;
    for (const source of listAt(volume['projected'], 'sources').filter(isFields)) {
      const [type = ''] = Object.keys(source);
      if (type !== 'downwardAPI') return projectedReferences[type] ?? `projected volumes of the type ${quoteGo(type)}`;
    }
  }
  return undefined;
}
