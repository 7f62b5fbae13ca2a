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

/** The flag takes old names as well; one that nobody knows stands for a network that is not our business. */
export function canonicalNetworkProvider(name: string): NetworkProviderName {
  return names.get(name) ?? '';
}
