import { join } from 'node:path/posix';
import type { Container, PodSpec } from '@slipway/runtime';
import { bytesOf, type MachineSize, sizeDefaults } from '../api/index.js';
import { objectNames } from './pod-names.js';
import { launcherPaths, type PodSettings } from './pod-settings.js';
import type { VmDocument } from './vm-document.js';

export interface PodVolume {
  readonly volume: NonNullable<PodSpec['volumes']>[number];
  readonly mount: NonNullable<Container['volumeMounts']>[number];
}

const ownerOnly = 0o400;

/** Volumes of the launcher. */
export function volumesOf(document: VmDocument, settings: PodSettings): readonly PodVolume[] {
  const names = objectNames(document.name);
  return [
    of('vm', { configMap: { name: names.document } }, launcherPaths.document, true),
    // The Secret is optional: it is deleted once the machine has joined, and later boots do not need it.
    of(
      'bootstrap',
      { secret: { secretName: names.bootstrap, defaultMode: ownerOnly, optional: true } },
      launcherPaths.bootstrap,
      true,
    ),
    of('images', { hostPath: { path: settings.imageFolder, type: 'DirectoryOrCreate' } }, launcherPaths.images, false),
    of('disks', disksOf(document), launcherPaths.disks, false),
    of('run', { emptyDir: { medium: 'Memory' } }, launcherPaths.run, false),
    ...etcdVolume(document),
    ...hostVolumes(document),
    ...(settings.devices === undefined ? devicesOfNode(document) : []),
  ];
}

/** Returns whether the disks outlive the pod. Otherwise the machine is lost with its pod. */
export function keepsDisks({ spec }: Pick<VmDocument, 'spec'>): boolean {
  return spec.diskStorageClassName !== undefined;
}

/** PersistentVolumeClaims of a machine, with their sizes. */
export interface DesiredClaim {
  readonly name: string;
  readonly storageClassName?: string;
  readonly bytes: number;
}

export function claimsOf(document: VmDocument, size: MachineSize): readonly DesiredClaim[] {
  const { spec, name } = document;
  const names = objectNames(name);
  const claims: DesiredClaim[] = [];
  if (spec.diskStorageClassName !== undefined) {
    const disks = size.rootBytes + size.dockerBytes + size.kubeletBytes + size.etcdBytes;
    claims.push({
      name: names.disks,
      storageClassName: spec.diskStorageClassName,
      // Additional space for qcow2 metadata when every block is allocated.
      bytes: Math.ceil(disks * 1.05),
    });
  }
  if (hasEtcd(document, 'PersistentVolume')) {
    const { storageClassName, size: desired = sizeDefaults.etcd } = spec.etcd ?? {};
    claims.push({ name: names.etcd, bytes: bytesOf(desired), ...(storageClassName && { storageClassName }) });
  }
  return claims;
}

function disksOf(document: VmDocument): object {
  if (!keepsDisks(document)) return { emptyDir: {} };
  return { persistentVolumeClaim: { claimName: objectNames(document.name).disks } };
}

/** Returns the volume for etcd data. Each machine has its own directory: etcd does not start with the data of another member. */
function etcdVolume(document: VmDocument): PodVolume[] {
  const { name, clusterName, spec } = document;
  if (hasEtcd(document, 'PersistentVolume')) {
    const claim = { persistentVolumeClaim: { claimName: objectNames(name).etcd } };
    return [of('etcd', claim, launcherPaths.etcd, false)];
  }
  if (!hasEtcd(document, 'HostPath')) return [];
  const path = join(spec.etcd?.hostPath ?? '/var/lib/capk/etcd', clusterName, name);
  return [of('etcd', { hostPath: { path, type: 'DirectoryOrCreate' } }, launcherPaths.etcd, false)];
}

function hasEtcd({ isControlPlane, spec }: VmDocument, storage: string): boolean {
  return isControlPlane && spec.etcd?.storage === storage;
}

function hostVolumes({ spec }: VmDocument): PodVolume[] {
  return (spec.hostVolumes ?? []).map(({ mountTag, hostPath, readOnly = false }, index) =>
    of(
      `volume-${index}`,
      { hostPath: { path: hostPath, type: 'Directory' } },
      join(launcherPaths.hostVolumes, mountTag),
      readOnly,
    ),
  );
}

function devicesOfNode({ spec }: VmDocument): PodVolume[] {
  const device = (name: string, path: string): PodVolume =>
    of(name, { hostPath: { path, type: 'CharDevice' } }, path, false);
  return [...(spec.accelerator === 'tcg' ? [] : [device('kvm', '/dev/kvm')]), device('tun', '/dev/net/tun')];
}

function of(name: string, source: object, mountPath: string, readOnly: boolean): PodVolume {
  return { volume: { name, ...source }, mount: { name, mountPath, ...(readOnly && { readOnly }) } };
}
