import { isControlPlaneMachine, labels, type Machine, type ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { SupervisorMachine, VirtualMachine, VmOperatorVersion } from '../../api/index.js';
import {
  antiAffinityTags,
  apiServerPort,
  controlPlaneModuleGroup,
  vmAnnotations,
  vmLabels,
  vmRoles,
  workersModuleGroup,
} from '../names.js';
import type { VmNetwork } from '../network/network-provider.js';
import { vmLabelsOf } from '../vm-labels.js';
import type { Placement } from './placement.js';
import { claimNameOf } from './volumes.js';

export interface VmFacts {
  readonly vsphereMachine: Frozen<SupervisorMachine>;
  readonly machine: Frozen<Machine>;
  readonly cluster: ObservedCluster;
  readonly version: VmOperatorVersion;
  readonly supportsReadinessProbe: boolean;
  /** The network of the VM. Undefined if another component connects the VM. */
  readonly network: VmNetwork | undefined;
  readonly placement: Placement;
}

type VmSpec = NonNullable<VirtualMachine['spec']>;

const powerOffModes = { hard: 'Hard', soft: 'Soft', trySoft: 'TrySoft' } as const;

/** Fills in the fields of a new or existing VirtualMachine. Values that other clients set are kept. */
export function fillVirtualMachine(draft: VirtualMachine, facts: VmFacts, isNew: boolean): void {
  const { machine, cluster, placement } = facts;
  const clusterName = cluster.metadata.name ?? '';
  const role = isControlPlaneMachine(machine) ? 'controlPlane' : 'worker';
  const deployment = machine.metadata.labels?.[labels.deploymentName];
  draft.metadata.labels = {
    ...draft.metadata.labels,
    ...vmLabelsOf(clusterName, vmRoles[role]),
    [labels.clusterName]: clusterName,
    ...(role === 'worker' && deployment !== undefined && { [labels.deploymentName]: deployment }),
    ...(placement.zone !== undefined && { [vmLabels.zone]: placement.zone }),
  };
  draft.metadata.annotations = {
    ...draft.metadata.annotations,
    [vmAnnotations.tag]: antiAffinityTags[role],
    [vmAnnotations.clusterModuleGroup]:
      role === 'controlPlane' ? controlPlaneModuleGroup : workersModuleGroup(clusterName),
  };
  draft.spec ??= {};
  fillIfEmpty(draft.spec, facts);
  fillAlways(draft.spec, facts);
  if (isNew) fillNew(draft.spec, facts);
}

/** Sets fields only if they are empty, because a Supervisor changes them when it resizes or moves VMs. */
function fillIfEmpty(spec: VmSpec, { vsphereMachine, cluster }: VmFacts): void {
  const { imageName, className, storageClass, minHardwareVersion } = vsphereMachine.spec;
  spec.imageName ??= imageName;
  spec.className ??= className;
  if (storageClass !== undefined) spec.storageClass ??= storageClass;
  const hardware = hardwareNumber(minHardwareVersion);
  if (hardware > 0 && (spec.minHardwareVersion ?? 0) === 0) spec.minHardwareVersion = hardware;
  if ((spec.reserved?.resourcePolicyName ?? '') === '')
    spec.reserved = { ...spec.reserved, resourcePolicyName: cluster.metadata.name ?? '' };
}

function fillAlways(spec: VmSpec, facts: VmFacts): void {
  const { vsphereMachine, machine, network, placement } = facts;
  spec.powerState = 'PoweredOn';
  spec.powerOffMode = powerOffModes[vsphereMachine.spec.powerOffMode ?? 'hard'];
  // Cluster API writes the data to the key `value`, which VM Operator reads if the key `user-data` does not exist.
  const rawCloudConfig = { name: machine.spec.bootstrap.dataSecretName ?? '', key: 'user-data' };
  spec.bootstrap = { ...spec.bootstrap, cloudInit: { ...spec.bootstrap?.cloudInit, rawCloudConfig } };
  if (network !== undefined) spec.network = { ...spec.network, ...servedNetwork(network, facts.version) };
  if (placement.groupName !== undefined) spec.groupName = placement.groupName;
  if (needsProbe(facts)) spec.readinessProbe = { ...spec.readinessProbe, tcpSocket: { port: apiServerPort } };
  addVolumes(spec, vsphereMachine);
}

/**
 * Removes fields that the API version does not have: VLANs and ipamModes require v1alpha6, and servers of earlier versions reject
 * or drop them.
 */
function servedNetwork({ vlans, interfaces = [], ...rest }: VmNetwork, version: VmOperatorVersion): VmNetwork {
  if (version === 'v1alpha6') return { ...rest, interfaces, ...(vlans !== undefined && { vlans }) };
  return { ...rest, interfaces: interfaces.map(({ ipamModes: _modes, ...each }) => each) };
}

function fillNew(spec: VmSpec, { vsphereMachine, version, placement }: VmFacts): void {
  if (placement.affinity !== undefined) spec.affinity = placement.affinity;
  const { policies } = vsphereMachine.spec;
  // v1alpha2 does not support policies.
  if (policies === undefined || version === 'v1alpha2') return;
  spec.policies = policies.map(({ kind, name }) => ({ apiVersion: policiesApiVersion, kind, name }));
}

const policiesApiVersion = 'vsphere.policy.vmware.com/v1alpha1';

/**
 * Returns whether to set a readiness probe. The first control plane machine has none: kubeadm init requires load balancer traffic
 * before the probe could succeed. Existing probes are kept.
 */
function needsProbe({ machine, cluster, supportsReadinessProbe }: VmFacts): boolean {
  const initialized = cluster.status?.initialization?.controlPlaneInitialized === true;
  return isControlPlaneMachine(machine) && supportsReadinessProbe && initialized;
}

function addVolumes(spec: VmSpec, vsphereMachine: Frozen<SupervisorMachine>): void {
  const desired = (vsphereMachine.spec.volumes ?? []).map(({ name }) => claimNameOf(vsphereMachine, name));
  const present = new Set((spec.volumes ?? []).map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName));
  const missing = desired.filter((claimName) => !present.has(claimName));
  if (missing.length === 0) return;
  const added = missing.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
  spec.volumes = [...(spec.volumes ?? []), ...added];
}

/** Returns 19 for `vmx-19`, and 0 if not set. */
function hardwareNumber(version: string | undefined): number {
  return version === undefined ? 0 : Number(version.replace(/^vmx-/, '')) || 0;
}
