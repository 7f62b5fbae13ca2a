import { clusterApiControllers } from '@slipway/cluster-api';
import type { Kind } from '@slipway/kube';
import { kubeadmControllers } from '@slipway/kubeadm';
import { createStandInSupervisor } from '@slipway/simulators';
import { createSupervisorControllers, type VmOperatorVersion, vsphereKinds } from '../../src/index.js';
import { openPlane, PlaneWorld } from './plane-world.js';

export interface SupervisorWorldOptions {
  readonly networkProvider?: string;
  readonly vmOperatorVersion?: VmOperatorVersion;
  readonly featureGates?: readonly string[];
  /** Absent: both groups. */
  readonly kinds?: readonly Kind[];
  /** Without: VM Operator's kinds are not there. */
  readonly supervisor?: 'stand-in' | 'none';
  readonly powerOnMs?: number;
}

/** A management plane with Cluster API, kubeadm and Supervisor mode, on a Supervisor that is played. */
export async function startSupervisorWorld(options: SupervisorWorldOptions = {}): Promise<PlaneWorld> {
  const { networkProvider = '', vmOperatorVersion = 'v1alpha5', featureGates = [], powerOnMs = 0 } = options;
  const plane = await openPlane({ kinds: options.kinds ?? vsphereKinds, featureGates, networkProvider });
  const world = new PlaneWorld(plane);
  if (options.supervisor !== 'none')
    await world.start([createStandInSupervisor({ guests: plane.dev.guests, powerOnMs })]);
  const mode = createSupervisorControllers({ networkProvider, vmOperatorVersion });
  await world.start([clusterApiControllers, kubeadmControllers, mode]);
  return world;
}
