import { cloneJson, type Frozen } from '@slipway/kube';
import { type Conditioned, getCondition, ReconcileError, retry, wait } from '@slipway/runtime';
import type { SupervisorMachine, VirtualMachine } from '../../api/index.js';
import type { VmProgress, VmReady, VmWaiting } from '../../machine/index.js';

type Phase = NonNullable<NonNullable<SupervisorMachine['status']>['phase']>;
type MachineStatus = NonNullable<SupervisorMachine['status']>;

/** Conditions that precede the creation of a VM, in the order in which VM Operator sets them. */
const prerequisites = [
  'VirtualMachineClassReady',
  'VirtualMachineImageReady',
  'VirtualMachineConditionVMSetResourcePolicyReady',
  'VirtualMachineBootstrapReady',
  'VirtualMachineStorageReady',
  'VirtualMachineNetworkReady',
  'VirtualMachineConditionPlacementReady',
];

/** Returns the progress of VM Operator with a virtual machine. */
export function progressOf(vm: Frozen<VirtualMachine>): VmProgress<SupervisorMachine> {
  if (getCondition(vm as Conditioned, 'VirtualMachineCreated')?.status !== 'True') return beforeCreation(vm);
  const { powerState, network, biosUUID } = vm.status ?? {};
  if (powerState !== 'PoweredOn')
    return waiting('Created', 'PoweringOn', 'Waiting for the virtual machine to be powered on');
  const address = network?.primaryIP4 ?? network?.primaryIP6;
  if (address === undefined)
    return waiting('PoweredOn', 'WaitingForNetworkAddress', 'Waiting for the guest to report an IP address');
  if (biosUUID === undefined)
    return waiting('PoweredOn', 'WaitingForBIOSUUID', 'Waiting for the virtual machine to get a BIOS UUID');
  return ready(vm, biosUUID, address);
}

/** Returns the failed prerequisite with VM Operator's message. */
function beforeCreation(vm: Frozen<VirtualMachine>): VmWaiting<SupervisorMachine> {
  for (const type of prerequisites) {
    const condition = getCondition(vm as Conditioned, type);
    if (condition?.status !== 'False') continue;
    const message = condition.message === '' ? `${type} is false` : condition.message;
    const error = new ReconcileError(condition.reason, `VirtualMachine ${vm.metadata.name ?? ''}: ${message}`, {
      retry: 'onChange',
    });
    return { ...waiting('Pending', condition.reason, message, { severity: 'Error' }), outcome: retry(error) };
  }
  return waiting('Pending', 'Provisioning', 'Waiting for VM Operator to create the virtual machine', {
    reason: 'VMProvisionStarted',
  });
}

export function waiting(
  phase: Phase,
  reason: string,
  message: string,
  v1beta1?: VmWaiting['condition']['v1beta1'],
): VmWaiting<SupervisorMachine> {
  return {
    type: 'waiting',
    condition: { status: 'False', reason, message, ...(v1beta1 && { v1beta1 }) },
    // The watch on VirtualMachines triggers the next reconcile.
    outcome: wait({ reason, message }),
    apply: (draft) => {
      draft.status = { ...draft.status, phase };
    },
  };
}

function ready(vm: Frozen<VirtualMachine>, biosUuid: string, address: string): VmReady<SupervisorMachine> {
  const { zone, nodeName, host = nodeName, network } = vm.status ?? {};
  const interfaces = cloneJson(network?.interfaces ?? []) as NonNullable<MachineStatus['network']>['interfaces'];
  return {
    type: 'ready',
    biosUuid,
    addresses: [{ type: 'InternalIP', address }],
    ...(host !== undefined && { host }),
    apply: (draft) => {
      draft.status = {
        ...draft.status,
        phase: 'Ready',
        biosUUID: biosUuid,
        ...(zone !== undefined && zone !== '' && { failureDomain: zone }),
        ...(interfaces !== undefined && interfaces.length > 0 && { network: { interfaces } }),
      };
    },
  };
}
