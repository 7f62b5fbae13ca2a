import type { ClusterConfiguration } from '../bootstrap-data/index.js';
import { parseKubernetesVersion } from '../bootstrap-data/index.js';

const kubeletLocalMode = 'ControlPlaneKubeletLocalMode';

/**
 * Between these versions a kubelet must be told to talk to the API server beside it: one that is newer than the API server
 * that it happens to reach would not come up. What the user says about it stands.
 */
export function withDefaultFeatureGates(configuration: ClusterConfiguration, version: string): ClusterConfiguration {
  const { major, minor } = parseKubernetesVersion(version);
  if (major !== 1 || minor < 31 || minor >= 36) return configuration;
  return { ...configuration, featureGates: { [kubeletLocalMode]: true, ...configuration.featureGates } };
}
