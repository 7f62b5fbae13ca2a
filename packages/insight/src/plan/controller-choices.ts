import { clusterClasses } from '@slipway/cluster-api';
import type { ControllerChoices, ControllerSet } from '@slipway/runtime';
import type { ManagementState } from './state.js';

/**
 * Returns the feature gates and settings of the management cluster. If it does not publish its configuration, returns the
 * defaults, with ClusterTopology enabled if ClusterClasses exist. The user's gates take precedence.
 */
export function choicesOf(
  { state, featureGates = '' }: { readonly state: ManagementState; readonly featureGates?: string },
  sets: readonly ControllerSet[],
): ControllerChoices {
  const { configuration, objects } = state;
  const hasClasses = objects.some(({ resource }) => resource.kind === clusterClasses.kind);
  const gates = new Set(sets.flatMap((set) => (set.featureGates ?? []).map(({ name }) => name)));
  const flags = new Set(sets.flatMap((set) => (set.settings ?? []).map(({ flag }) => flag)));
  const assumed = hasClasses ? topologyGate : '';
  const published = configuration === undefined ? assumed : knownGates(configuration.featureGates, gates);
  const settings = Object.entries(configuration?.settings ?? {}).filter(([flag]) => flags.has(flag));
  return {
    featureGates: [published, featureGates].filter((text) => text !== '').join(','),
    settings: new Map(settings),
  };
}

/** Drops unknown gates: other providers and other versions have gates that the simulated controllers do not have. */
function knownGates(text: string, known: ReadonlySet<string>): string {
  const isKnown = (gate: string): boolean => gate === 'AllAlpha' || gate === 'AllBeta' || known.has(gate);
  return text
    .split(',')
    .filter((part) => isKnown(part.split('=')[0]?.trim() ?? ''))
    .join(',');
}

/** The feature gate that a manifest with ClusterClasses needs. */
export const topologyGate = 'ClusterTopology=true';
