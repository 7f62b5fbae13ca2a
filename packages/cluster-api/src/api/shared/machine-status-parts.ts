import { dateTime, int64, object, optional, string } from '@slipway/kube/kit';

export const nodeInfo = object(
  {
    architecture: string({ description: 'architecture is the CPU architecture reported by the Node.' }),
    bootID: string({ description: 'bootID identifies the current boot of the Node.' }),
    containerRuntimeVersion: string({
      description:
        'containerRuntimeVersion is the name and version of the container runtime, such as containerd://2.0.0.',
    }),
    kernelVersion: string({ description: 'kernelVersion is the version of the kernel.' }),
    kubeProxyVersion: string({
      description: 'kubeProxyVersion is the version of kube-proxy. Deprecated by Kubernetes.',
    }),
    kubeletVersion: string({ description: 'kubeletVersion is the version of the kubelet.' }),
    machineID: string({ description: 'machineID is the content of /etc/machine-id on the Node.' }),
    operatingSystem: string({ description: 'operatingSystem is the operating system reported by the Node.' }),
    osImage: string({ description: 'osImage is the name of the operating system release.' }),
    swap: optional(
      object(
        {
          capacity: optional(int64({ description: 'capacity is the size of the swap space in bytes.' })),
        },
        { description: 'swap describes the swap space of the Node.' },
      ),
    ),
    systemUUID: string({ description: 'systemUUID is the UUID of the system as reported by its firmware.' }),
  },
  { description: 'nodeInfo is a copy of status.nodeInfo of the Node.' },
);

export const deletionProgress = object(
  {
    nodeDrainStartTime: optional(
      dateTime({
        description:
          'nodeDrainStartTime is the time at which the drain of the Node began. The drain timeout counts from it.',
      }),
    ),
    waitForNodeVolumeDetachStartTime: optional(
      dateTime({
        description:
          'waitForNodeVolumeDetachStartTime is the time at which waiting for volumes to be detached began. The volume detach timeout counts from it.',
      }),
    ),
    waitForPreDrainHookStartTime: optional(
      dateTime({ description: 'waitForPreDrainHookStartTime is the time at which waiting for pre-drain hooks began.' }),
    ),
    waitForPreTerminateHookStartTime: optional(
      dateTime({
        description:
          'waitForPreTerminateHookStartTime is the time at which waiting for pre-terminate hooks began. Afterwards the Node is not drained again.',
      }),
    ),
  },
  {
    description:
      'deletion records when the steps of the deletion of the Machine began. Set only while the Machine is being deleted.',
  },
);
