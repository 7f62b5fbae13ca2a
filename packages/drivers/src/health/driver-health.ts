import { type Frozen, parseTime } from '@slipway/kube';
import type { CsiDriver, CsiNode, Lease, Node } from '@slipway/runtime';
import { csiDeployment, csiDriverName, csiNodeDaemonSet, type DriverStatus, type Reason } from '../api/index.js';
import { isComplete, type WorkloadHealth, workloadText } from './workload-health.js';

export interface DriverHealth {
  readonly health: NonNullable<DriverStatus['health']>;
  readonly reason: Reason | 'Healthy' | 'NotInstalled';
  readonly message: string;
  readonly workloads: readonly WorkloadHealth[];
}

const leaseMsMax = 60_000;

export interface CpiHealthFacts {
  readonly daemonSet: WorkloadHealth | undefined;
  readonly lease: Frozen<Lease> | undefined;
  readonly nowMs: number;
}

/** Returns the health of the CPI: of its DaemonSet, and of the lease that proves that one replica is working. */
export function cpiHealth({ daemonSet, lease, nowMs }: CpiHealthFacts): DriverHealth {
  if (daemonSet === undefined) return missing('the DaemonSet of the CPI does not exist');
  const workloads = [daemonSet];
  if (!isComplete(daemonSet) || daemonSet.desired === 0) {
    const hint = daemonSet.isObserved && daemonSet.desired === 0 ? '; the cluster has no control plane node' : '';
    return progressing(`${workloadText(daemonSet)}${hint}`, workloads);
  }
  const renewed = lease?.spec?.renewTime;
  if (!renewed || nowMs - parseTime(renewed) > leaseMsMax) {
    const message = `the lease kube-system/cloud-controller-manager was ${renewed ? `last renewed at ${renewed}` : 'never acquired'}`;
    return { health: 'Unhealthy', reason: 'LeaseNotRenewed', message, workloads };
  }
  return { health: 'Healthy', reason: 'Healthy', message: workloadText(daemonSet), workloads };
}

export interface CsiHealthFacts {
  readonly workloads: readonly WorkloadHealth[];
  readonly driver: Frozen<CsiDriver> | undefined;
  readonly registration: Registration;
}

export function csiHealth({ workloads, driver, registration }: CsiHealthFacts): DriverHealth {
  const controller = workloads.find(({ name }) => name === csiDeployment);
  if (controller === undefined) return missing('the Deployment of the CSI driver does not exist');
  if (!workloads.some(({ name }) => name === csiNodeDaemonSet))
    return missing('the DaemonSet of the CSI driver does not exist');
  if (driver === undefined) return missing(`CSIDriver ${csiDriverName} does not exist`);
  const texts = workloads.map(workloadText).join(', ');
  if (controller.available === 0) return progressing(texts, workloads);
  const others = workloads.filter((workload) => workload !== controller);
  if (controller.available < controller.desired && others.every(isComplete))
    return { health: 'Degraded', reason: 'ReplicasUnschedulable', message: texts, workloads };
  if (!workloads.every(isComplete)) return progressing(texts, workloads);
  if (registration.missing.length > 0)
    return { health: 'Degraded', reason: 'NodesNotRegistered', message: registrationText(registration), workloads };
  return { health: 'Healthy', reason: 'Healthy', message: texts, workloads };
}

export interface Registration {
  readonly registered: number;
  /** Names of ready nodes on which the driver is not registered. */
  readonly missing: readonly string[];
}

/** Returns on which nodes the driver is registered. Every node has a CSINode object, which lists its drivers. */
export function registrationOf(
  nodes: Iterable<Frozen<Node>>,
  nodeOf: (name: string) => Frozen<CsiNode> | undefined,
): Registration {
  let registered = 0;
  const missing: string[] = [];
  for (const node of nodes) {
    const name = node.metadata.name ?? '';
    const isLinux = (node.status?.nodeInfo?.operatingSystem ?? 'linux') === 'linux';
    const isReady = node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
    if (!isLinux || !isReady) continue;
    const driver = nodeOf(name)?.spec.drivers.find((each) => each.name === csiDriverName);
    if (driver !== undefined && driver.nodeID !== '') registered += 1;
    else missing.push(name);
  }
  return { registered, missing };
}

export function registrationText({ missing }: Registration): string {
  const shown = missing.slice(0, 5).join(', ');
  return `the driver is not registered on ${shown}${missing.length > 5 ? ` and ${missing.length - 5} more` : ''}`;
}

function missing(message: string): DriverHealth {
  return { health: 'Unknown', reason: 'NotInstalled', message, workloads: [] };
}

function progressing(message: string, workloads: readonly WorkloadHealth[]): DriverHealth {
  return { health: 'Progressing', reason: 'RollingOut', message, workloads };
}
