import { type Cluster, clusters } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { type Client, type Conditioned, getCondition, isConditionTrue, type ObjectKey } from '@slipway/runtime';
import { waitsFor } from './waits-for.js';

/** What is told on the way, in the order in which it comes true. */
const steps = [
  { type: 'InfrastructureReady', text: 'its infrastructure is ready' },
  { type: 'ControlPlaneInitialized', text: 'its control plane answers' },
  { type: 'ControlPlaneAvailable', text: 'its control plane is available' },
  { type: 'WorkersAvailable', text: 'its workers are available' },
  { type: 'Available', text: 'it is available' },
] as const;

export interface Follower {
  /** Something came true. */
  onStep(text: string): void;
  /** What is waited for has changed. */
  onWait(text: string): void;
}

/** Tells how a cluster comes up, until it is Available. Ends without it when the signal aborts. */
export async function followCluster(
  client: Client,
  key: ObjectKey,
  follower: Follower,
  signal: AbortSignal,
): Promise<boolean> {
  const told = new Set<string>();
  let waiting = '';
  const fieldSelector = `metadata.name=${key.name}`;
  const options = { namespace: key.namespace, fieldSelector, sendInitialEvents: true, signal };
  for await (const events of client.watch(clusters, options)) {
    for (const event of events) {
      if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
      const cluster = event.object;
      for (const { type, text } of steps) {
        if (told.has(type) || !isTrue(cluster, type)) continue;
        told.add(type);
        follower.onStep(text);
      }
      if (told.has('Available')) return true;
      const next = waitsFor(getCondition(cluster as Conditioned, 'Available')?.message ?? '');
      if (next !== waiting && next !== '') follower.onWait(next);
      waiting = next;
    }
  }
  return false;
}

/** Without machines there are no workers to be available, which is no news. */
function isTrue(cluster: Frozen<Cluster>, type: string): boolean {
  const condition = getCondition(cluster as Conditioned, type);
  return isConditionTrue(cluster as Conditioned, type) && condition?.reason !== 'NoWorkers';
}
