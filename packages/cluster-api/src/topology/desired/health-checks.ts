import { cloneJson, type KubeObject } from '@slipway/kube';
import { ownerReference } from '@slipway/runtime';
import { labels, type MachineDeployment, type MachineHealthCheck } from '../../api/index.js';
import { defaultMachineHealthCheck } from '../../admission/machine-health-check.js';
import { compact } from '../json-fields.js';
import type {
  Blueprint,
  ControlPlaneClass,
  ControlPlaneTopology,
  DeploymentClass,
  DeploymentTopology,
  ObservedCluster,
} from '../topology-state.js';

type Check = NonNullable<
  | ControlPlaneClass['healthCheck']
  | ControlPlaneTopology['healthCheck']
  | DeploymentClass['healthCheck']
  | DeploymentTopology['healthCheck']
>;

export function controlPlaneHealthCheck(
  { clusterClass, topology, controlPlane }: Blueprint,
  cluster: ObservedCluster,
  object: KubeObject,
): MachineHealthCheck | undefined {
  // Without a machine template, the control plane has no machines to check.
  if (controlPlane.machineInfrastructure === undefined) return undefined;
  const check = chosenCheck(clusterClass.spec.controlPlane.healthCheck, topology.controlPlane?.healthCheck);
  return check && healthCheckFor(cluster, object, { [labels.controlPlane]: '' }, check);
}

export function deploymentHealthCheck(
  workerClass: DeploymentClass,
  deployment: DeploymentTopology,
  cluster: ObservedCluster,
  object: MachineDeployment,
): MachineHealthCheck | undefined {
  const check = chosenCheck(workerClass.healthCheck, deployment.healthCheck);
  const selector = {
    [labels.topologyOwned]: '',
    [labels.topologyDeploymentName]: object.metadata.labels?.[labels.topologyDeploymentName] ?? '',
  };
  return check && healthCheckFor(cluster, object, selector, check);
}

/** Returns the health check of the topology, which replaces the one of the class as a whole or disables it. */
function chosenCheck(
  fromClass: Check | undefined,
  fromTopology: (Check & { readonly enabled?: boolean }) | undefined,
): Check | undefined {
  if (fromTopology?.enabled === false) return undefined;
  if (fromTopology === undefined) return fromClass;
  const { enabled: _enabled, ...check } = fromTopology;
  // `enabled: true` alone enables the check of the class.
  return Object.keys(check).length === 0 ? fromClass : check;
}

function healthCheckFor(
  cluster: ObservedCluster,
  target: { readonly metadata: KubeObject['metadata'] },
  matchLabels: Record<string, string>,
  { checks, remediation }: Check,
): MachineHealthCheck {
  const { triggerIf, templateRef } = remediation ?? {};
  const spec = compact({
    clusterName: cluster.metadata.name ?? '',
    selector: { matchLabels },
    checks: cloneJson(checks ?? {}),
    remediation: { triggerIf: cloneJson(triggerIf), templateRef: cloneJson(templateRef) },
  }) as MachineHealthCheck['spec'];
  const object: MachineHealthCheck = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: {
      name: target.metadata.name ?? '',
      namespace: target.metadata.namespace ?? '',
      labels: { [labels.topologyOwned]: '' },
      ownerReferences: [ownerReference(cluster)],
    },
    spec,
  };
  // Set the defaults of admission, so that they are not a difference.
  defaultMachineHealthCheck(object);
  return object;
}
