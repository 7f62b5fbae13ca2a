import { type Frozen, isReason, type KubeObject, parseTime } from '@slipway/kube';
import { type PodTemplate, pods, type ReconcileContext } from '@slipway/runtime';
import { annotations, type DriverStatus } from '../api/index.js';
import type { DriverHealth } from '../health/index.js';
import type { ObservedHealth } from './observe-health.js';

const unhealthyMs = 600_000;
const betweenMs = 1_800_000;
const restartsMin = 5;

/** A driver that has not become healthy ten minutes after it was applied is applied again, at most every half hour. */
export function isRemediationDue(
  { appliedTime, lastRemediationTime }: Frozen<DriverStatus>,
  { health }: DriverHealth,
  nowMs: number,
): boolean {
  if (health === 'Healthy' || appliedTime === undefined || nowMs - parseTime(appliedTime) < unhealthyMs) return false;
  return lastRemediationTime === undefined || nowMs - parseTime(lastRemediationTime) >= betweenMs;
}

/** Pods that crash with a configuration that is no longer the one they would get are given the chance to begin anew. */
export async function restartWedged(
  { pods: found }: ObservedHealth,
  objects: readonly KubeObject[],
  { client, logger, signal }: ReconcileContext,
): Promise<void> {
  const hashes = new Set(
    objects.flatMap((object) => {
      const template = (object['spec'] as { readonly template?: PodTemplate } | undefined)?.template;
      const hash = template?.metadata?.annotations?.[annotations.configHash];
      return hash === undefined ? [] : [hash];
    }),
  );
  for (const { metadata, status } of found) {
    const isCrashing = status?.containerStatuses?.some(({ restartCount }) => restartCount > restartsMin) === true;
    if (!isCrashing || hashes.has(metadata.annotations?.[annotations.configHash] ?? '')) continue;
    const { namespace = '', name = '', uid } = metadata;
    try {
      await client.delete(pods, { namespace, name }, { ...(uid !== undefined && { preconditions: { uid } }), signal });
      logger.info({ Pod: { namespace, name }, reason: 'ConfigurationChanged' }, 'Removed pod that crashes');
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}
