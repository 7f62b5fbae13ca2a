import { VirtualClock } from '@slipway/base';
import type { ReconcileContext } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { providerResources } from '../api/index.js';
import { ProviderScope } from './provider-scope.js';

function startRun(): {
  run: ProviderScope;
  clock: VirtualClock;
  stopping: AbortController;
  observed: [phase: string, seconds: number][];
} {
  const clock = new VirtualClock();
  const stopping = new AbortController();
  const observed: [string, number][] = [];
  const run = new ProviderScope({
    resource: providerResources.InfrastructureProvider,
    provider: {
      apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
      kind: 'InfrastructureProvider',
      metadata: { name: 'aws' },
    },
    context: { clock, signal: stopping.signal } as Partial<ReconcileContext> as ReconcileContext,
    dependencies: {
      builtin: [],
      readConfig: () => Promise.resolve(''),
      observePhase: ({ type, phase }, seconds) => observed.push([`${type} ${phase}`, seconds]),
    },
  });
  return { run, clock, stopping, observed };
}

/** Waits for the abort, like a request to a server that does not respond. */
const silence = (signal: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('one reconcile of a provider', () => {
  it('cancels a phase that times out and observes its duration', async () => {
    const { run, clock, observed } = startRun();
    const ended = run.within(5_000, () => run.phase('DownloadManifests', () => silence(run.signal)));
    await clock.advance(5_000);
    expect(await ended).toBe(true);
    expect(run.lastPhase).toBe('DownloadManifests');
    expect(observed).toEqual([['infrastructure DownloadManifests', 5]]);
  });

  it('does not report a timeout when the controller stops or a phase fails', async () => {
    const { run, stopping } = startRun();
    const ended = run.within(5_000, () => silence(run.signal));
    stopping.abort(new Error('stopped'));
    await expect(ended).rejects.toThrow('stopped');
    await expect(run.within(5_000, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(await run.within(5_000, () => Promise.resolve())).toBe(false);
  });
});
