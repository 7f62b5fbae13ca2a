import { fieldsOf, type Frozen, type KubeObject } from '@slipway/kube';
import { createdMsOf } from './event-filter.js';
import { isSameHost } from './names-compare.js';

/** The used fields of a Machine of either API. */
export interface ApproverMachine {
  readonly group: string;
  readonly namespace: string;
  readonly name: string;
  readonly createdMs: number;
  readonly nodeName: string | undefined;
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
}

/** Reads a Machine of either API: both have the same fields. Values of an unexpected type are treated as absent. */
export function readMachine(group: string, object: Frozen<KubeObject>): ApproverMachine {
  const status = fieldsOf(object['status']);
  const nodeName = fieldsOf(status['nodeRef'])['name'];
  const addresses = Array.isArray(status['addresses']) ? (status['addresses'] as readonly unknown[]) : [];
  return {
    group,
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name ?? '',
    createdMs: createdMsOf(object),
    nodeName: typeof nodeName === 'string' && nodeName !== '' ? nodeName : undefined,
    addresses: addresses.flatMap((entry) => {
      const { type, address } = fieldsOf(entry);
      return typeof type === 'string' && typeof address === 'string' ? [{ type, address }] : [];
    }),
  };
}

export function hasInternalName(machine: ApproverMachine, nodeName: string): boolean {
  return machine.addresses.some(({ type, address }) => type === 'InternalDNS' && isSameHost(nodeName, address));
}

/** Groups machines by API group. One match in each group is not ambiguous: it is a machine and its mirror in the other API. */
export function byGroup(machines: readonly ApproverMachine[]): readonly (readonly ApproverMachine[])[] {
  const groups = new Map<string, ApproverMachine[]>();
  for (const machine of machines) groups.set(machine.group, [...(groups.get(machine.group) ?? []), machine]);
  return [...groups.values()];
}
