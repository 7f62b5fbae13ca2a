import type { Frozen } from '@slipway/kube';
import type { ClusterVersion, FeatureGate } from '../api/index.js';

/** What the gates of the cluster say. */
export type Gates =
  | { readonly type: 'known'; readonly isEnabled: (name: string) => boolean }
  /** They are being worked out: not an error, only not yet. */
  | { readonly type: 'pending'; readonly message: string }
  | { readonly type: 'invalid'; readonly message: string };

/** The gate of the first preview, and its successor, which every platform has a gate beside. */
export const clusterApiGate = 'ClusterAPIEnabled';
export const machineManagementGate = 'ClusterAPIMachineManagement';
export const migrationGate = 'MachineAPIMigration';

/** Feature sets as clusters of 2021 have them: what is in each is known to whoever reads it. */
const featureSets: Readonly<Record<string, readonly string[]>> = {
  '': [],
  Default: [],
  LatencySensitive: [],
  IPv6DualStackNoUpgrade: [],
  OKD: [],
  TechPreviewNoUpgrade: [clusterApiGate],
  DevPreviewNoUpgrade: [clusterApiGate, migrationGate, `${migrationGate}OpenStack`],
};

/** The marker of a build that is not part of a release. */
const snapshotVersion = '0.0.1-snapshot';

/** Our own version in the payload: what the environment says, or what the cluster is on its way to. */
export function releaseVersion(ownVersion: string, clusterVersion: Frozen<ClusterVersion> | undefined): string {
  if (ownVersion !== snapshotVersion) return ownVersion;
  const { desired, history = [] } = clusterVersion?.status ?? {};
  return desired?.version ?? history[0]?.version ?? ownVersion;
}

/**
 * Reads both forms: the status, where every payload version has its entry and an upgrade shows two of them, and, on clusters
 * that have no such status, the feature set in the spec.
 */
export function evaluateGates(featureGate: Frozen<FeatureGate> | undefined, version: string): Gates {
  if (featureGate === undefined) return known([], []);
  const entries = featureGate.status?.featureGates;
  if (entries === undefined) return evaluateSpec(featureGate);
  const entry = entries.find((one) => one.version === version);
  if (entry === undefined)
    return { type: 'pending', message: `FeatureGate cluster has no entry for version ${version} yet` };
  const names = (list: readonly { readonly name: string }[] = []): string[] => list.map(({ name }) => name);
  return known(names(entry.enabled), names(entry.disabled));
}

function evaluateSpec({ spec }: Frozen<FeatureGate>): Gates {
  const { featureSet = '', customNoUpgrade } = spec ?? {};
  if (featureSet === 'CustomNoUpgrade') return known(customNoUpgrade?.enabled ?? [], customNoUpgrade?.disabled ?? []);
  if (!Object.hasOwn(featureSets, featureSet))
    return {
      type: 'invalid',
      message: `FeatureGate cluster has the unknown featureSet ${JSON.stringify(featureSet)}; known are ${Object.keys(featureSets).filter(Boolean).join(', ')} and CustomNoUpgrade`,
    };
  return known(featureSets[featureSet] ?? [], []);
}

/** A name in neither list is off: what we ask for may be newer than the cluster. */
function known(enabled: readonly string[], disabled: readonly string[]): Gates {
  return { type: 'known', isEnabled: (name) => enabled.includes(name) && !disabled.includes(name) };
}
