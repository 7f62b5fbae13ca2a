import { type Frozen, type KubeObject, parseTime } from '@slipway/kube';
import { type Change, type PodTemplate, pods } from '@slipway/runtime';
import { annotations, type DriverStatus } from '../api/index.js';
import type { DriverHealth } from '../health/index.js';
import type { ObservedHealth } from './observe-health.js';

const unhealthyMs = 600_000;
const betweenMs = 1_800_000;
const restartsMin = 5;

/** Returns whether to apply a driver again: if it is not healthy ten minutes after it was applied, at most every 30 minutes. */
export function isRemediationDue(
  { appliedTime, lastRemediationTime }: Frozen<DriverStatus>,
  { health }: DriverHealth,
  nowMs: number,
): boolean {
  if (health === 'Healthy' || appliedTime === undefined || nowMs - parseTime(appliedTime) < unhealthyMs) return false;
  return lastRemediationTime === undefined || nowMs - parseTime(lastRemediationTime) >= betweenMs;
}

/** Returns deletions of pods that crash with an outdated configuration, so that they start again with the current one. */
export function restartChanges({ pods: found }: ObservedHealth, objects: readonly KubeObject[]): Change[] {
  const hashes = new Set(
    objects.flatMap((object) => {
      const template = (object['spec'] as { readonly template?: PodTemplate } | undefined)?.template;
      const hash = template?.metadata?.annotations?.[annotations.configHash];
      return hash === undefined ? [] : [hash];
    }),
  );
  return found.flatMap(({ metadata, status }): Change[] => {
    const isCrashing = status?.containerStatuses?.some(({ restartCount }) => restartCount > restartsMin) === true;
    if (!isCrashing || hashes.has(metadata.annotations?.[annotations.configHash] ?? '')) return [];
    const { namespace = '', name = '', uid } = metadata;
    return [
      {
        verb: 'delete',
        resource: pods,
        key: { namespace, name },
        ...(uid !== undefined && { options: { preconditions: { uid } } }),
        reason: 'ConfigurationChanged',
        message: `Deleted crashing Pod ${name}: its configuration is outdated`,
      },
    ];
  });
}
