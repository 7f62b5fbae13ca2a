import { labels, type Machine } from '@slipway/cluster-api';
import { deepEqual, type Frozen, type Thawed } from '@slipway/kube';
import { edit, ensureOwnerReference, ownerReference } from '@slipway/runtime';
import {
  type VSphereCluster,
  type VSphereDeploymentZone,
  type VSphereFailureDomain,
  vsphereFinalizers,
  type VSphereMachine,
  type VSphereVm,
} from '../../api/index.js';
import { renderVmName } from '../../machine/index.js';
import type { ObservedVm, VmSpec } from '../vm/vm-spec.js';
import { applyFailureDomain } from './failure-domain-spec.js';

export interface DesiredVmInput {
  readonly vsphereMachine: Frozen<VSphereMachine>;
  readonly machine: Frozen<Machine>;
  readonly clusterName: string;
  readonly vsphereCluster: Frozen<VSphereCluster> | undefined;
  readonly place:
    | { readonly zone: Frozen<VSphereDeploymentZone>; readonly domain: Frozen<VSphereFailureDomain> }
    | undefined;
}

const windowsNameMax = 15;

/** Returns the name of the VSphereVM, the virtual machine and the Node. Windows limits it to 15 characters. */
export function vmNameOf({ spec }: Pick<Frozen<VSphereMachine>, 'spec'>, machineName: string): string {
  const name = renderVmName(spec.naming?.template, machineName);
  if (spec.os !== 'Windows' || machineName.length <= windowsNameMax || name.length <= windowsNameMax) return name;
  return `${name.slice(0, 9).replace(/-$/, '')}-${name.slice(-5)}`;
}

export function desiredVm(input: DesiredVmInput): VSphereVm {
  const { vsphereMachine, machine, clusterName } = input;
  return {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'VSphereVM',
    metadata: {
      name: vmNameOf(vsphereMachine, machine.metadata.name ?? ''),
      namespace: vsphereMachine.metadata.namespace,
      labels: labelsOf(machine, clusterName),
      ownerReferences: [ownerReference(vsphereMachine)],
      // The finalizer is set at creation, which saves a write and a reconcile.
      finalizers: [vsphereFinalizers.vsphereVm],
    },
    spec: specOf(input),
  };
}

/**
 * Updates the mutable fields of an existing VSphereVM. The other fields are immutable, and keep their values even if the zone or
 * the cluster has changed since creation.
 */
export function updatedVm(current: ObservedVm, input: DesiredVmInput): ObservedVm {
  const desired = specOf(input);
  const { vsphereMachine, machine, clusterName } = input;
  return edit(current, (draft) => {
    ensureOwnerReference(draft.metadata, ownerReference(vsphereMachine));
    draft.metadata.labels = { ...draft.metadata.labels, ...labelsOf(machine, clusterName) };
    draft.spec.bootstrapRef = desired.bootstrapRef;
    draft.spec.thumbprint = desired.thumbprint;
    draft.spec.powerOffMode = desired.powerOffMode;
    draft.spec.guestSoftPowerOffTimeoutSeconds = desired.guestSoftPowerOffTimeoutSeconds;
    if (hasNewAddresses(desired.network.devices, current.spec.network.devices))
      draft.spec.network.devices = desired.network.devices;
  });
}

/** Returns whether addresses were added to the VSphereMachine later. Addresses that were set on the VSphereVM are kept. */
function hasNewAddresses(
  desired: readonly { readonly ipAddrs?: readonly string[] }[],
  current: readonly { readonly ipAddrs?: readonly string[] }[],
): boolean {
  if (deepEqual(desired, current)) return false;
  return desired.some(
    ({ ipAddrs = [] }, index) => ipAddrs.length > 0 && !deepEqual(ipAddrs, current[index]?.ipAddrs ?? []),
  );
}

function labelsOf(machine: Frozen<Machine>, clusterName: string): Record<string, string> {
  const controlPlane = machine.metadata.labels?.[labels.controlPlane];
  return {
    [labels.clusterName]: clusterName,
    ...(controlPlane === undefined ? {} : { [labels.controlPlane]: controlPlane }),
  };
}

function specOf({ vsphereMachine, machine, vsphereCluster, place }: DesiredVmInput): Thawed<VmSpec> {
  const {
    providerID: _providerID,
    naming: _naming,
    ...own
  } = structuredClone(vsphereMachine.spec) as VSphereMachine['spec'];
  const spec: Thawed<VmSpec> = own;
  if (place !== undefined) applyFailureDomain(spec, place.zone, place.domain);
  spec.server ??= vsphereCluster?.spec.server;
  spec.thumbprint ??= vsphereCluster?.spec.thumbprint;
  const { dataSecretName } = machine.spec.bootstrap;
  if (dataSecretName !== undefined) spec.bootstrapRef = { name: dataSecretName };
  return spec;
}
