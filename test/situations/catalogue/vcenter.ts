import type { Situation } from '../situation.js';

const unreachable =
  'cannot connect to https://vcenter.example: connect ECONNREFUSED; check that vCenter is running, its address, and the network; reconciliation continues once vCenter is reachable';
const describe = 'kubectl describe';
const vcenter = { provider: 'vcenter' } as const;

function vm(condition: string, more: { deprecated?: readonly string[] } = {}): Situation['broken'] {
  return [{ on: 'VSphereVM/control-plane', conditions: [condition], ...more }];
}

/** vSphere through vCenter. */
export const vcenterSituations: readonly Situation[] = [
  {
    ...vcenter,
    name: 'vCenter is unreachable while a cluster is created',
    stage: 'new',
    broken: [{ on: 'VSphereCluster', conditions: [`VCenterAvailable=False VCenterUnreachable: ${unreachable}`] }],
    expect: {
      cause: 'VCenterUnreachable',
      state: 'failing',
      object: 'VSphereCluster',
      exitCode: 1,
      next: `${describe} vspherecluster/$name -n $namespace`,
    },
  },
  {
    ...vcenter,
    name: 'vCenter becomes unreachable for an available cluster',
    stage: 'available',
    broken: [{ on: 'VSphereCluster', conditions: [`VCenterAvailable=False VCenterUnreachable: ${unreachable}`] }],
    expect: {
      cause: 'VCenterUnreachable',
      state: 'failing',
      object: 'VSphereCluster',
      exitCode: 1,
      next: `${describe} vspherecluster/$name -n $namespace`,
    },
  },
  {
    ...vcenter,
    name: 'vCenter rejects the password',
    stage: 'new',
    broken: [
      {
        on: 'VSphereCluster',
        spec: { server: 'vcenter.example', identityRef: { kind: 'Secret', name: '$name' } },
        conditions: [
          'VCenterAvailable=False VCenterUnreachable: InvalidLogin: Cannot complete login due to an incorrect user name or password; correct the user name or password in the Secret',
        ],
      },
    ],
    expect: {
      cause: 'CredentialsRejected',
      state: 'blocked',
      object: 'VSphereCluster',
      exitCode: 1,
      next: 'kubectl get secret/$name -n $namespace',
    },
  },
  {
    ...vcenter,
    name: 'the Secret with the credentials for vCenter does not exist',
    stage: 'new',
    broken: [
      {
        on: 'VSphereCluster',
        conditions: [
          'VCenterAvailable=False VCenterUnreachable: Secret team/demo with the credentials for vCenter not found',
        ],
      },
    ],
    expect: {
      cause: 'CredentialsRejected',
      state: 'blocked',
      object: 'VSphereCluster',
      exitCode: 1,
      next: `${describe} vspherecluster/$name -n $namespace`,
    },
  },
  {
    ...vcenter,
    name: 'the Secret with the credentials for vCenter was created after the VSphereCluster',
    stage: 'new',
    objects: [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'vcenter-account' } }],
    broken: [
      {
        on: 'VSphereCluster',
        spec: { server: 'vcenter.example', identityRef: { kind: 'Secret', name: 'vcenter-account' } },
        conditions: [
          'VCenterAvailable=False VCenterUnreachable: Secret team/vcenter-account with the credentials for vCenter not found',
        ],
      },
    ],
    expect: {
      cause: 'InfrastructureNotReady',
      state: 'progress',
      object: 'VSphereCluster',
      exitCode: 6,
      next: `${describe} vspherecluster/$name -n $namespace`,
    },
  },
  ...(
    [
      ['the template does not exist in vCenter', 'template "ubuntu-2404" not found'],
      ['the network does not exist in vCenter', 'network "VM Network 7" not found'],
      ['the datastore does not exist in vCenter', 'datastore "fast" not found'],
      ['the folder does not exist in vCenter', 'folder "clusters" not found'],
      ['the resource pool does not exist in vCenter', 'resource pool "Resources" not found'],
    ] as const
  ).map(
    ([name, message]): Situation => ({
      ...vcenter,
      name,
      stage: 'starting',
      broken: vm(`VirtualMachineProvisioned=False NotProvisioned: ${message}`, {
        deprecated: [`VMProvisioned=False Warning CloningFailed: ${message}`],
      }),
      expect: {
        cause: 'InfrastructureFailed',
        state: 'failing',
        object: 'VSphereVM/control-plane',
        exitCode: 1,
        next: `${describe} vspherevm/$name-control-plane -n $namespace`,
      },
    }),
  ),
  {
    ...vcenter,
    name: 'a vCenter task fails',
    stage: 'starting',
    broken: vm('VirtualMachineProvisioned=False TaskFailed: insufficient disk space on datastore fast'),
    expect: {
      cause: 'InfrastructureFailed',
      state: 'failing',
      object: 'VSphereVM/control-plane',
      exitCode: 1,
      next: `${describe} vspherevm/$name-control-plane -n $namespace`,
    },
  },
  {
    ...vcenter,
    name: 'a virtual machine was destroyed by hand',
    stage: 'available',
    broken: [
      {
        on: 'VSphereVM/worker',
        conditions: ['VirtualMachineProvisioned=False NotFoundByBIOSUUID: vm with BIOS UUID 4233 not found in vCenter'],
      },
    ],
    expect: {
      cause: 'MachineLost',
      state: 'blocked',
      object: 'VSphereVM/worker',
      exitCode: 1,
      next: 'kubectl delete machine/$name-worker -n $namespace',
    },
  },
  {
    ...vcenter,
    name: 'a network device has no source of addresses',
    stage: 'starting',
    broken: vm(
      'VirtualMachineProvisioned=False WaitingForStaticIPAllocation: a network device has neither DHCP nor ipAddrs nor addressesFromPools',
    ),
    expect: {
      cause: 'InfrastructureMisconfigured',
      state: 'blocked',
      object: 'VSphereVM/control-plane',
      exitCode: 1,
      next: `${describe} vspherevm/$name-control-plane -n $namespace`,
    },
  },
  {
    ...vcenter,
    name: 'a PCI device is not available',
    stage: 'starting',
    broken: vm('VirtualMachineProvisioned=False MissingPCIDevices: missing PCI devices'),
    expect: {
      cause: 'InfrastructureMisconfigured',
      state: 'blocked',
      object: 'VSphereVM/control-plane',
      exitCode: 1,
      next: `${describe} vspherevm/$name-control-plane -n $namespace`,
    },
  },
  {
    ...vcenter,
    name: 'the failure domain of a machine does not exist',
    stage: 'starting',
    broken: vm('VirtualMachineProvisioned=False FailureDomainNotFound: VSphereFailureDomain rack-3 not found'),
    expect: {
      cause: 'InfrastructureMisconfigured',
      state: 'blocked',
      object: 'VSphereVM/control-plane',
      exitCode: 1,
      next: `${describe} vspherevm/$name-control-plane -n $namespace`,
    },
  },
  {
    ...vcenter,
    name: 'the address pool of a virtual machine is exhausted',
    stage: 'starting',
    broken: vm('IPAddressClaimsFulfilled=False WaitingForIPAddress: 1 of 1 IPAddressClaims have no address'),
    objects: [
      {
        apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
        kind: 'InClusterIPPool',
        metadata: { name: 'pool' },
        spec: { addresses: ['10.0.0.10'] },
      },
      {
        apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
        kind: 'InClusterIPPool',
        metadata: { name: 'another-pool' },
        spec: { addresses: ['10.0.1.10'] },
      },
      {
        apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
        kind: 'IPAddressClaim',
        metadata: {
          name: '$name-control-plane-0',
          labels: { 'cluster.x-k8s.io/cluster-name': '$name' },
          ownerReferences: [
            {
              apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
              kind: 'VSphereVM',
              name: '$name-control-plane',
              uid: 'VSphereVM $name-control-plane',
              controller: true,
            },
          ],
        },
        spec: {
          clusterName: '$name',
          poolRef: { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'pool' },
        },
        status: { conditions: ['Ready=False PoolExhausted: pool team/pool has no free address'] },
      },
    ],
    expect: {
      cause: 'AddressesExhausted',
      state: 'blocked',
      object: 'IPAddressClaim/control-plane-0',
      exitCode: 1,
      next: 'kubectl get inclusterippool/pool -n $namespace -o yaml',
    },
  },
  {
    ...vcenter,
    name: 'a virtual machine is being cloned',
    stage: 'starting',
    broken: vm('VirtualMachineProvisioned=False WaitingForClone: Waiting for vCenter to clone the virtual machine'),
    expect: {
      cause: 'MachineStartsUp',
      state: 'progress',
      object: 'VSphereVM/control-plane',
      exitCode: 6,
      next: `${describe} vspherevm/$name-control-plane -n $namespace`,
    },
  },
  {
    ...vcenter,
    name: 'vCenter is unreachable while a machine is deleted',
    stage: 'available',
    broken: [
      {
        on: 'VSphereVM/worker',
        deletingForMinutes: 20,
        finalizers: ['vspherevm.infrastructure.cluster.x-k8s.io'],
        conditions: [`VCenterAvailable=False VCenterUnreachable: ${unreachable}`],
      },
      {
        on: 'VSphereMachine/worker',
        deletingForMinutes: 20,
        finalizers: ['vspheremachine.infrastructure.cluster.x-k8s.io'],
      },
      {
        on: 'Machine/worker',
        deletingForMinutes: 20,
        finalizers: ['machine.cluster.x-k8s.io'],
        conditions: ['Deleting=True WaitingForInfrastructureDeletion: VSphereMachine deletion in progress'],
      },
    ],
    subject: 'Machine/worker',
    expect: {
      cause: 'VCenterUnreachable',
      state: 'failing',
      object: 'VSphereVM/worker',
      exitCode: 1,
      next: `${describe} vspherevm/$name-worker -n $namespace`,
    },
  },
  {
    ...vcenter,
    name: 'the HAProxy data plane API of a load balancer fails',
    stage: 'new',
    broken: [{ on: 'VSphereCluster', conditions: ['LoadBalancerReady=False DataPlaneFailed: 503 from 10.0.0.2:5556'] }],
    expect: {
      cause: 'InfrastructureFailed',
      state: 'failing',
      object: 'VSphereCluster',
      exitCode: 1,
      next: `${describe} vspherecluster/$name -n $namespace`,
    },
  },
];
