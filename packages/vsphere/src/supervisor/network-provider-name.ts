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

/**
 * Returns the current name of a network provider. The flag also accepts legacy names. An unknown name means that another
 * component manages the network.
 */
export function canonicalNetworkProvider(name: string): NetworkProviderName {
  return names.get(name) ?? '';
}
