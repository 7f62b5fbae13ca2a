import { atomicList, enumeration, type Node, string } from '@slipway/kube/kit';

export const backend = enumeration(['local', 'pod'], {
  description: 'Who runs the machines: local, processes of this host; pod, pods of a cluster.',
});

export function ipAddresses(description: string): Node<string[]> {
  return atomicList(string({ minLength: 2, maxLength: 45 }), { description, maxItems: 16 });
}

export const timeServers = atomicList(string({ minLength: 1, maxLength: 253 }), {
  description: 'Time servers of the machines, by name or address.',
  maxItems: 16,
});
