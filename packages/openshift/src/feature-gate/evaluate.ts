import type { Frozen } from '@slipway/kube';
import type { ClusterVersion, FeatureGate } from '../api/index.js';

/** Evaluated feature gates of the cluster. */
export type Gates =
  | { readonly type: 'known'; readonly isEnabled: (name: string) => boolean }
  /** The feature gates of this version are not computed yet, which is not an error. */
  | { readonly type: 'pending'; readonly message: string }
  | { readonly type: 'invalid'; readonly message: string };

/** Feature gate of the first tech preview. Its successor below is combined with a gate for each platform. */
export const clusterApiGate = 'ClusterAPIEnabled';
export const machineManagementGate = 'ClusterAPIMachineManagement';
export const migrationGate = 'MachineAPIMigration';

/** Feature sets of older clusters without status.featureGates. */
const featureSets: Readonly<Record<string, readonly string[]>> = {
  '': [],
  Default: [],
  LatencySensitive: [],
  IPv6DualStackNoUpgrade: [],
  OKD: [],
  TechPreviewNoUpgrade: [clusterApiGate],
  DevPreviewNoUpgrade: [clusterApiGate, migrationGate, `${migrationGate}OpenStack`],
};

/** Version placeholder in a build that is not part of a release. */
const snapshotVersion = '0.0.1-snapshot';

/** Returns the release version of this operator: from the environment, or else the desired version of the cluster. */
export function releaseVersion(ownVersion: string, clusterVersion: Frozen<ClusterVersion> | undefined): string {
  if (ownVersion !== snapshotVersion) return ownVersion;
  const { desired, history = [] } = clusterVersion?.status ?? {};
  return desired?.version ?? history[0]?.version ?? ownVersion;
}

/**
 * Evaluates the feature gates from status.featureGates, with an entry for each release version (two during an upgrade), or from
 * the feature set in the spec on clusters without that status.
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
      message: `FeatureGate cluster has the unknown featureSet ${JSON.stringify(featureSet)}; supported are ${Object.keys(featureSets).filter(Boolean).join(', ')} and CustomNoUpgrade`,
    };
  return known(featureSets[featureSet] ?? [], []);
}

/** Returns the evaluated gates. A gate in neither list is disabled: it may be newer than the cluster. */
function known(enabled: readonly string[], disabled: readonly string[]): Gates {
  return { type: 'known', isEnabled: (name) => enabled.includes(name) && !disabled.includes(name) };
}
