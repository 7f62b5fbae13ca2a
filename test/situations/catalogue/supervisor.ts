import type { Situation } from '../situation.js';

const group = 'vmware.infrastructure.cluster.x-k8s.io';
const machine = `kubectl describe vspheremachine.${group}/$name-control-plane -n $namespace`;
const cluster = `kubectl describe vspherecluster.${group}/$name -n $namespace`;
const supervisor = { provider: 'supervisor' } as const;

function prerequisite(
  name: string,
  reason: string,
  message: string,
  cause: 'InfrastructureMisconfigured' | 'InfrastructureFailed',
): Situation {
  return {
    ...supervisor,
    name,
    stage: 'starting',
    broken: [
      {
        on: 'VSphereMachine/control-plane',
        conditions: [`VirtualMachineProvisioned=False ${reason}: ${message}`],
        deprecated: [`VMProvisioned=False Error ${reason}: ${message}`],
      },
    ],
    expect: {
      cause,
      state: cause === 'InfrastructureFailed' ? 'failing' : 'blocked',
      object: 'VSphereMachine/control-plane',
      exitCode: 1,
      next: machine,
    },
  };
}

/** vSphere in Supervisor mode. */
export const supervisorSituations: readonly Situation[] = [
  prerequisite(
    'a VirtualMachineClass does not exist',
    'NotFound',
    'VirtualMachineClass best-effort-huge not found',
    'InfrastructureMisconfigured',
  ),
  prerequisite(
    'a VirtualMachineImage does not exist',
    'NotFound',
    'VirtualMachineImage ubuntu-2604 not found',
    'InfrastructureMisconfigured',
  ),
  prerequisite(
    'a storage class is not assigned to the namespace',
    'NotReady',
    'StorageClass gold is not assigned to the namespace',
    'InfrastructureFailed',
  ),
  {
    ...supervisor,
    name: 'the network of a cluster is not set up',
    stage: 'new',
    broken: [
      {
        on: 'VSphereCluster',
        conditions: ['NetworkReady=False NotProvisioned: no Network is the default network of the namespace'],
        deprecated: [
          'ClusterNetworkReady=False Warning ClusterNetworkProvisionFailed: no Network is the default network of the namespace',
        ],
      },
    ],
    expect: { cause: 'InfrastructureFailed', state: 'failing', object: 'VSphereCluster', exitCode: 1, next: cluster },
  },
  {
    ...supervisor,
    name: 'the load balancer of a cluster fails',
    stage: 'new',
    broken: [
      {
        on: 'VSphereCluster',
        conditions: ['LoadBalancerReady=False NotReady: VirtualMachineService demo has another owner'],
        deprecated: [
          'LoadBalancerReady=False Warning LoadBalancerCreationFailed: VirtualMachineService demo has another owner',
        ],
      },
    ],
    expect: { cause: 'InfrastructureFailed', state: 'failing', object: 'VSphereCluster', exitCode: 1, next: cluster },
  },
  {
    ...supervisor,
    name: 'VM Operator creates a virtual machine',
    stage: 'starting',
    broken: [
      {
        on: 'VSphereMachine/control-plane',
        conditions: [
          'VirtualMachineProvisioned=False Provisioning: Waiting for VM Operator to create the virtual machine',
        ],
      },
    ],
    expect: {
      cause: 'InfrastructureNotReady',
      state: 'progress',
      object: 'VSphereMachine/control-plane',
      exitCode: 6,
      next: machine,
    },
  },
  {
    ...supervisor,
    name: 'a virtual machine of the Supervisor is being powered on',
    stage: 'starting',
    broken: [
      {
        on: 'VSphereMachine/control-plane',
        conditions: ['VirtualMachineProvisioned=False PoweringOn: Waiting for the virtual machine to be powered on'],
      },
    ],
    expect: {
      cause: 'MachineStartsUp',
      state: 'progress',
      object: 'VSphereMachine/control-plane',
      exitCode: 6,
      next: machine,
    },
  },
];
