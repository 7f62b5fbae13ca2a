import type { Clock } from '@slipway/base';
import type { Frozen } from '@slipway/kube';
import { type Deployment, deployments, type Reader, type RequestOptions } from '@slipway/runtime';
import { ClusterctlError } from '../clusterctl-error.js';
import { isManagerDeployment, type ProviderComponents } from '../components/index.js';

export interface WaitOptions extends RequestOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** Waits until the managers of providers are Available. */
export async function waitForProviders(
  read: Reader,
  queue: readonly ProviderComponents[],
  options: WaitOptions,
): Promise<void> {
  const managers = queue.flatMap(({ objects }) => objects.filter(isManagerDeployment));
  for (const { metadata } of managers) {
    const { namespace = '', name = '' } = metadata;
    if (await untilDeployment(read, { namespace, name }, isAvailable, options)) continue;
    throw new ClusterctlError(`deployment "${name}" is not ready after ${options.timeoutMs / 1_000}s`, {
      remedy: `run \`kubectl -n ${namespace} describe deployment ${name}\` to find the reason`,
    });
  }
}

function isAvailable({ status }: Frozen<Deployment>): boolean {
  return (status?.conditions ?? []).some(({ type, status: state }) => type === 'Available' && state === 'True');
}

/** Waits for a Deployment. Returns whether it became available in time. */
export async function untilDeployment(
  read: Reader,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  isDone: (deployment: Frozen<Deployment>) => boolean,
  { clock, timeoutMs, signal }: WaitOptions,
): Promise<boolean> {
  const timeout = new AbortController();
  const timer = clock.setTimer(timeoutMs, () => timeout.abort(new Error('timed out')));
  const either = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
  const watching = { namespace, fieldSelector: `metadata.name=${name}`, sendInitialEvents: true, signal: either };
  try {
    while (!either.aborted) {
      for await (const events of read.watch(deployments, watching)) {
        if (events.some((event) => 'object' in event && event.type !== 'DELETED' && isDone(event.object))) return true;
      }
    }
    return false;
  } catch (error) {
    if (timeout.signal.aborted) return false;
    throw error;
  } finally {
    timer.cancel();
  }
}
