import { type BuiltinObject, clusterResource } from './define.js';

const group = 'storage.k8s.io';
type Version = 'storage.k8s.io/v1';

export type StorageClass = BuiltinObject<
  Version,
  'StorageClass',
  {
    provisioner: string;
    parameters?: Record<string, string>;
    reclaimPolicy?: string;
    volumeBindingMode?: string;
    allowVolumeExpansion?: boolean;
    mountOptions?: string[];
  }
>;
export const storageClasses = clusterResource<StorageClass>(group, 'v1', 'StorageClass', 'storageclasses');

export type VolumeAttachment = BuiltinObject<
  Version,
  'VolumeAttachment',
  {
    spec: { attacher: string; nodeName: string; source: { persistentVolumeName?: string } };
    status?: { attached: boolean; attachError?: { message?: string; time?: string } };
  }
>;
export const volumeAttachments = clusterResource<VolumeAttachment>(
  group,
  'v1',
  'VolumeAttachment',
  'volumeattachments',
);

export type CsiNode = BuiltinObject<
  Version,
  'CSINode',
  { spec: { drivers: { name: string; nodeID: string; topologyKeys?: string[] }[] } }
>;
export const csiNodes = clusterResource<CsiNode>(group, 'v1', 'CSINode', 'csinodes');

export type CsiDriver = BuiltinObject<
  Version,
  'CSIDriver',
  { spec: { attachRequired?: boolean; podInfoOnMount?: boolean } }
>;
export const csiDrivers = clusterResource<CsiDriver>(group, 'v1', 'CSIDriver', 'csidrivers');
