import { clusterApiControllers } from '@slipway/cluster-api';
import type { Kind } from '@slipway/kube';
import { kubeadmControllers } from '@slipway/kubeadm';
import { createSimulatedSupervisor } from '@slipway/simulators';
import { createSupervisorControllers, vsphereKinds } from '../../src/index.js';
import type { VmOperatorVersion } from '../../src/api/index.js';
import { openPlane, PlaneEnvironment } from './plane-environment.js';

export interface SupervisorEnvironmentOptions {
  readonly networkProvider?: string;
  readonly vmOperatorVersion?: VmOperatorVersion;
  readonly featureGates?: readonly string[];
  /** Kinds to install. Defaults to those of both API groups. */
  readonly kinds?: readonly Kind[];
  /** `none` does not install the CRDs of VM Operator. */
  readonly supervisor?: 'simulated' | 'none';
  readonly powerOnMs?: number;
}

/** A management cluster with Cluster API, kubeadm and Supervisor mode on a simulated Supervisor. */
export async function startSupervisorEnvironment(
  options: SupervisorEnvironmentOptions = {},
): Promise<PlaneEnvironment> {
  const { networkProvider = '', vmOperatorVersion = 'v1alpha5', featureGates = [], powerOnMs = 0 } = options;
  const plane = await openPlane({ kinds: options.kinds ?? vsphereKinds, featureGates, networkProvider });
  const environment = new PlaneEnvironment(plane);
  if (options.supervisor !== 'none')
    await environment.start([createSimulatedSupervisor({ guests: plane.dev.guests, powerOnMs })]);
  const mode = createSupervisorControllers({ networkProvider, vmOperatorVersion });
  await environment.start([clusterApiControllers, kubeadmControllers, mode]);
  return environment;
}
