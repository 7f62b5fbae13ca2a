import { VirtualClock } from '@slipway/base';
import { deepFreeze } from '@slipway/kube';
import {
  ChangeExecutor,
  ChangeFeed,
  type Client,
  type ExecutorDependencies,
  type ReconcileContext,
} from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { type ExtensionClient, HookCache } from '../runtime-extensions/index.js';
import { ExtensionHooks } from './extension-hooks.js';
import type { ObservedCluster } from './topology-state.js';
import type { HookAnswers, LifecycleHook } from './upgrade/lifecycle-hook.js';

const cluster = deepFreeze({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'c', namespace: 'ns', uid: 'u' },
  spec: {},
}) as ObservedCluster;

function open(options: Partial<ExecutorDependencies> = {}): {
  readonly beforeCreate: () => Promise<HookAnswers>;
  readonly calls: LifecycleHook[];
  readonly feed: ChangeFeed;
} {
  const clock = new VirtualClock();
  const feed = new ChangeFeed();
  const calls: LifecycleHook[] = [];
  const extensions: Pick<ExtensionClient, 'handlersOf' | 'callAll'> = {
    handlersOf: () => ['handler.extension'],
    callAll: (hook) => {
      calls.push(hook as LifecycleHook);
      return Promise.resolve({ retryAfterSeconds: 30, message: 'no capacity' });
    },
  };
  const hooks = new ExtensionHooks(extensions as ExtensionClient, new HookCache(clock));
  const executor = new ChangeExecutor({ client: {} as Client, clock, controller: 'topology', feed, ...options });
  return { beforeCreate: () => hooks.beforeCreate(executor as unknown as ReconcileContext, cluster), calls, feed };
}

describe('a lifecycle hook', () => {
  it('is a call change with its name as the reason, and is not repeated while its extension asks to wait', async () => {
    const { beforeCreate, calls, feed } = open();
    const blocked = new Map([['BeforeClusterCreate', { retryAfterSeconds: 30, message: 'no capacity' }]]);
    expect(await beforeCreate()).toEqual(blocked);
    expect(await beforeCreate()).toEqual(blocked);
    expect(calls).toEqual(['BeforeClusterCreate']);
    expect(feed.recent()).toMatchObject([
      {
        verb: 'call',
        action: 'call BeforeClusterCreate hook',
        reason: 'BeforeClusterCreate',
        object: { kind: 'Cluster', name: 'c' },
        result: 'ok',
      },
    ]);
  });

  it('is never called in a dry run, which continues as if no extension blocked', async () => {
    const { beforeCreate, calls, feed } = open({ dryRun: true });
    expect(await beforeCreate()).toEqual(new Map([['BeforeClusterCreate', { retryAfterSeconds: 0, message: '' }]]));
    expect(calls).toEqual([]);
    expect(feed.recent()).toMatchObject([{ reason: 'BeforeClusterCreate', dryRun: true }]);
  });
});
