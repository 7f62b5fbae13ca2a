import type { ObjectRef } from '../schema/index.js';

/** The kinds of inventory objects that users name, with their managed object types and their folder. */
export const inventoryKinds = {
  datacenter: { label: 'datacenter', types: ['Datacenter'] },
  folder: { label: 'folder', types: ['Folder', 'StoragePod'], folder: 'vmFolder' },
  virtualMachine: { label: 'virtual machine', types: ['VirtualMachine'], folder: 'vmFolder' },
  resourcePool: { label: 'resource pool', types: ['ResourcePool', 'VirtualApp'], folder: 'hostFolder' },
  computeCluster: {
    label: 'compute cluster',
    types: ['ClusterComputeResource', 'ComputeResource'],
    folder: 'hostFolder',
  },
  host: { label: 'host', types: ['HostSystem'], folder: 'hostFolder' },
  datastore: { label: 'datastore', types: ['Datastore'], folder: 'datastoreFolder' },
  network: {
    label: 'network',
    types: ['Network', 'DistributedVirtualPortgroup', 'OpaqueNetwork'],
    folder: 'networkFolder',
  },
} as const satisfies Readonly<Record<string, InventoryKind>>;

type TypedFolder = 'vmFolder' | 'hostFolder' | 'datastoreFolder' | 'networkFolder';

export interface InventoryKind {
  readonly label: string;
  readonly types: readonly string[];
  readonly folder?: TypedFolder;
}

export type InventoryKindName = keyof typeof inventoryKinds;

const prefixes: readonly (readonly [RegExp, string])[] = [
  [/^datacenter-\d+$/, 'Datacenter'],
  [/^datastore-\d+$/, 'Datastore'],
  [/^domain-c\d+$/, 'ClusterComputeResource'],
  [/^domain-s\d+$/, 'ComputeResource'],
  [/^dvportgroup-\d+$/, 'DistributedVirtualPortgroup'],
  [/^group-p\d+$/, 'StoragePod'],
  [/^group-[a-z]?\d+$/, 'Folder'],
  [/^host-\d+$/, 'HostSystem'],
  [/^network-\d+$/, 'Network'],
  [/^resgroup-v\d+$/, 'VirtualApp'],
  [/^resgroup-\d+$/, 'ResourcePool'],
  [/^vm-\d+$/, 'VirtualMachine'],
];

/** Parses a managed object reference: `Type:moid`, or a moid whose prefix determines its type. */
export function parseReference(text: string): ObjectRef | undefined {
  if (text.includes('/')) return undefined;
  const typed = /^([A-Z][A-Za-z]+):(.+)$/.exec(text);
  if (typed !== null) return { type: typed[1] as string, value: typed[2] as string };
  const type = prefixes.find(([pattern]) => pattern.test(text))?.[1];
  return type === undefined ? undefined : { type, value: text };
}
