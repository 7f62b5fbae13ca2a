import type { networkProviders } from '../api/index.js';

export type NetworkProviderName = (typeof networkProviders)[number] | 'DummyLBNetworkProvider' | '';

const names: ReadonlyMap<string, NetworkProviderName> = new Map([
  ['VSphereDistributed', 'VSphereDistributed'],
  ['vsphere-network', 'VSphereDistributed'],
  ['NSXTier1', 'NSXTier1'],
  ['NSX', 'NSXTier1'],
  ['VPC', 'VPC'],
  ['NSX-VPC', 'VPC'],
  ['DummyLBNetworkProvider', 'DummyLBNetworkProvider'],
]);

/** Maps the legacy names of the flag. An unknown name stands for a network that is not managed here. */
export function canonicalNetworkProvider(name: string): NetworkProviderName {
  return names.get(name) ?? '';
}
