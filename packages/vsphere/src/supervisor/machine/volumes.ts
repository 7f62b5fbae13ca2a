import type { Machine } from '@slipway/cluster-api';
import { type Frozen, isReason } from '@slipway/kube';
import {
  ownerReference,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  type ReconcileContext,
} from '@slipway/runtime';
import type { SupervisorMachine, VirtualMachine } from '../../api/index.js';
import { claimTopologyAnnotation, vmLabels } from '../names.js';

type Volume = NonNullable<Frozen<SupervisorMachine>['spec']['volumes']>[number];

export function claimNameOf(vsphereMachine: Frozen<SupervisorMachine>, volume: string): string {
  return `${vsphereMachine.metadata.name ?? ''}-${volume}`;
}

/** Creates claims for the volumes that are not attached to the virtual machine yet. */
export async function ensureClaims(
  context: ReconcileContext,
  vsphereMachine: Frozen<SupervisorMachine>,
  current: Frozen<VirtualMachine> | undefined,
  zone: string | undefined,
): Promise<void> {
  const attached = new Set(current?.spec?.volumes?.map((volume) => volume.persistentVolumeClaim?.claimName));
  for (const volume of vsphereMachine.spec.volumes ?? []) {
    const claim = desiredClaim(vsphereMachine, volume, zone);
    if (attached.has(claim.metadata.name)) continue;
    try {
      await context.change({
        verb: 'create',
        resource: persistentVolumeClaims,
        object: claim,
        reason: 'VolumeRequired',
        message: `Claimed volume ${volume.name} for VSphereMachine ${vsphereMachine.metadata.name ?? ''}`,
      });
    } catch (error) {
      // The claim exists already: an earlier reconcile created it, but not the VirtualMachine.
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }
}

function desiredClaim(
  vsphereMachine: Frozen<SupervisorMachine>,
  { name, capacity, storageClass = vsphereMachine.spec.storageClass }: Volume,
  zone: string | undefined,
): PersistentVolumeClaim {
  const requests = Object.fromEntries(Object.entries(capacity).map(([key, amount]) => [key, String(amount)]));
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      namespace: vsphereMachine.metadata.namespace ?? '',
      name: claimNameOf(vsphereMachine, name),
      ownerReferences: [ownerReference(vsphereMachine)],
      ...(zone !== undefined && {
        annotations: { [claimTopologyAnnotation]: JSON.stringify([{ [vmLabels.zone]: zone }]) },
      }),
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests },
      ...(storageClass !== undefined && { storageClassName: storageClass }),
    },
  };
}

/** Returns the zone of a machine's volumes, which must be that of the machine if the cluster has several zones. */
export function claimZone(machine: Frozen<Machine>, failureDomains: number): string | undefined {
  return failureDomains > 1 ? machine.spec.failureDomain : undefined;
}
