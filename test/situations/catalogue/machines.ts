import type { CauseName, WaitState } from '../../../packages/insight/src/why/index.js';
import type { Provider, Situation } from '../situation.js';

const kinds = { dev: 'DevMachine', host: 'HostMachine', kvm: 'KVMMachine' } as const;

interface Row {
  readonly provider: 'dev' | 'host' | 'kvm';
  readonly name: string;
  readonly condition: string;
  readonly cause: CauseName;
  readonly state: WaitState;
}

/** Returns a situation with a condition on the infrastructure of the first control plane machine. */
function machine({ provider, name, condition, cause, state }: Row): Situation {
  const kind = kinds[provider];
  const isLost = cause === 'MachineLost';
  return {
    name,
    provider,
    stage: 'starting',
    broken: [{ on: `${kind}/control-plane`, conditions: [condition] }],
    expect: {
      cause,
      state,
      object: `${kind}/control-plane`,
      exitCode: state === 'progress' ? 6 : 1,
      next: isLost
        ? 'kubectl delete machine/$name-control-plane -n $namespace'
        : `kubectl describe ${kind.toLowerCase()}/$name-control-plane -n $namespace`,
    },
  };
}

const blocked = { cause: 'InfrastructureMisconfigured', state: 'blocked' } as const;
const failing = { cause: 'InfrastructureFailed', state: 'failing' } as const;
const lost = { cause: 'MachineLost', state: 'blocked' } as const;
const starts = { cause: 'MachineStartsUp', state: 'progress' } as const;

/** Returns a situation with a condition on the infrastructure of a new cluster. */
function clusterInfrastructure(
  provider: Provider,
  kind: string,
  name: string,
  condition: string,
  of: typeof blocked | typeof failing,
): Situation {
  return {
    name,
    provider,
    stage: 'new',
    broken: [{ on: kind, conditions: [condition] }],
    expect: { ...of, object: kind, exitCode: 1, next: `kubectl describe ${kind.toLowerCase()}/$name -n $namespace` },
  };
}

/** In-memory machines. */
export const devSituations: readonly Situation[] = [
  machine({
    provider: 'dev',
    name: 'a DevMachine requests a backend that is not supported',
    condition: 'VMProvisioned=False BackendNotSupported: the docker backend is not part of Slipway',
    ...blocked,
  }),
  machine({
    provider: 'dev',
    name: 'a simulated machine is starting',
    condition:
      'VMProvisioned=False WaitingForStartupTimeout: Waiting for the simulated startup, which finishes at 2026-01-01T00:06:00Z',
    ...starts,
  }),
  clusterInfrastructure(
    'dev',
    'DevCluster',
    'the port of a simulated cluster is in use',
    'Ready=False PortTaken: port 6443 is in use',
    blocked,
  ),
  {
    name: 'the CA of a simulated cluster is not valid',
    stage: 'available',
    broken: [
      {
        on: 'KubeadmControlPlane',
        conditions: ['CertificatesAvailable=False InvalidCA: Secret demo-ca: certificate and key do not match'],
      },
    ],
    expect: {
      cause: 'CertificatesUnusable',
      state: 'blocked',
      object: 'KubeadmControlPlane',
      exitCode: 1,
      next: 'kubectl get secrets -n $namespace -l cluster.x-k8s.io/cluster-name=$name',
    },
  },
];

/** Machines as processes of the host. */
export const hostSituations: readonly Situation[] = [
  machine({
    provider: 'host',
    name: 'the node binaries of a version are missing on the host',
    condition: 'VMProvisioned=False NodeFilesMissing: no files for v1.35.0',
    ...blocked,
  }),
  machine({
    provider: 'host',
    name: 'the host does not support machines',
    condition: 'VMProvisioned=False HostNotSupported: cgroup v2 is not mounted',
    ...blocked,
  }),
  machine({
    provider: 'host',
    name: 'the bootstrap commands of a machine fail',
    condition: 'BootstrapSucceeded=False BootstrapFailed: kubeadm init exited with code 1',
    ...failing,
  }),
  machine({
    provider: 'host',
    name: 'the bootstrap commands of a machine are running',
    condition: 'BootstrapSucceeded=False BootstrapRunning: runcmd 3 of 7',
    ...starts,
  }),
  machine({
    provider: 'host',
    name: 'the processes of a machine have exited',
    condition: 'VMProvisioned=False MachineEnded: the machine has exited',
    ...lost,
  }),
  clusterInfrastructure(
    'host',
    'HostCluster',
    'the network of a cluster overlaps with one of the host',
    'NetworkProvisioned=False NetworkTaken: 10.0.0.0/24 is in use by eth0',
    blocked,
  ),
];

/** QEMU virtual machines on the host and in Pods. */
export const kvmSituations: readonly Situation[] = [
  machine({
    provider: 'kvm',
    name: 'the image of a virtual machine does not exist',
    condition: 'ImageReady=False ImageMissing: no image for v1.35.0',
    ...blocked,
  }),
  machine({
    provider: 'kvm',
    name: 'the download of an image fails',
    condition: 'ImageReady=False ImageDownloadFailed: 404 from https://images.example/node.qcow2',
    ...failing,
  }),
  machine({
    provider: 'kvm',
    name: 'an image is being downloaded',
    condition: 'ImageReady=False ImageDownloading: 40 of 900 MiB',
    ...starts,
  }),
  machine({
    provider: 'kvm',
    name: 'an image does not match its checksum',
    condition: 'ImageReady=False ImageChecksumMismatch: sha256 differs',
    ...blocked,
  }),
  machine({
    provider: 'kvm',
    name: 'an image is larger than the disk',
    condition: 'DisksReady=False ImageTooLargeForDisk: the image has 20 GiB, the disk 10 GiB',
    ...blocked,
  }),
  machine({
    provider: 'kvm',
    name: 'the host has not enough memory',
    condition: 'VMProvisioned=False InsufficientCapacity: 8 GiB are requested, 2 GiB are free',
    ...blocked,
  }),
  machine({
    provider: 'kvm',
    name: 'a virtual machine exits repeatedly',
    condition: 'VMRunning=False CrashLooping: exited 5 times in 10 minutes',
    ...failing,
  }),
  machine({
    provider: 'kvm',
    name: 'the kernel of a guest panicked',
    condition: 'VMRunning=False GuestPanicked: the guest panicked',
    ...failing,
  }),
  machine({
    provider: 'kvm',
    name: 'the disks of a virtual machine were deleted',
    condition: 'VMRunning=False DisksLost: disk.qcow2 does not exist',
    ...lost,
  }),
  machine({
    provider: 'kvm',
    name: 'the Pod of a virtual machine was deleted',
    condition: 'VMRunning=False PodLost: pod demo-control-plane does not exist',
    ...lost,
  }),
  machine({
    provider: 'kvm',
    name: 'the Pod of a virtual machine cannot be scheduled',
    condition: 'VMProvisioned=False PodUnschedulable: 0/3 nodes are available: 3 Insufficient memory',
    ...blocked,
  }),
  machine({
    provider: 'kvm',
    name: 'the hosting cluster is unreachable',
    condition: 'VMProvisioned=False HostUnreachable: connect ECONNREFUSED 10.0.0.1:6443',
    ...failing,
  }),
  clusterInfrastructure(
    'kvm',
    'KVMCluster',
    'no address is free for the control plane endpoint',
    'ControlPlaneEndpointReady=False AllocationExhausted: no free port between 30000 and 30010',
    blocked,
  ),
  clusterInfrastructure(
    'kvm',
    'KVMCluster',
    'the hosting cluster does not serve the Gateway API',
    'ControlPlaneEndpointReady=False GatewayApiMissing: TLSRoute is not served',
    blocked,
  ),
  clusterInfrastructure(
    'kvm',
    'KVMCluster',
    'the load balancer of a cluster does not respond',
    'LoadBalancerReady=False BalancerSilent: no answer from 10.0.0.2:6443',
    failing,
  ),
];
