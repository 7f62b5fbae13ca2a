import { atomicList, boolean, enumeration, int64, type Node, object, optional, string } from '@slipway/kube/kit';

export const backend = enumeration(['local', 'pod'], {
  description:
    'Backend that runs the virtual machines: local for QEMU processes of the host that the manager runs on, pod for pods of a Kubernetes cluster. Cannot be changed once set.',
});

export function ipAddresses(description: string): Node<string[]> {
  return atomicList(string({ minLength: 2, maxLength: 45 }), { description, maxItems: 16 });
}

export const timeServers = atomicList(string({ minLength: 1, maxLength: 253 }), {
  description:
    'NTP servers of the virtual machines, as host names or IP addresses. If not set, the operating system of the image uses its default servers. Read when a virtual machine is created.',
  maxItems: 16,
});

export const initialization = optional(
  object(
    {
      provisioned: optional(
        boolean({
          description:
            'Whether the infrastructure has been provisioned. Cluster API waits for true before it continues. It never changes back to false.',
        }),
      ),
    },
    { minProperties: 1, description: 'Initialization state that Cluster API reads through the v1beta2 contract.' },
  ),
);

export const ready = optional(
  boolean({
    description: 'Copy of initialization.provisioned for managers that use the v1beta1 contract.',
  }),
);

export const observedGeneration = optional(
  int64({ description: 'Value of metadata.generation that the controller last reconciled.' }),
);
