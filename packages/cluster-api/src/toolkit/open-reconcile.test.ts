import { VirtualClock } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import {
  ChangeExecutor,
  type Client,
  type Conditioned,
  type ObjectKey,
  type ReconcileContext,
  type Resource,
} from '@slipway/runtime';
import { openReconcile } from './open-reconcile.js';

const machines: Resource = {
  group: 'cluster.x-k8s.io',
  version: 'v1beta2',
  kind: 'Machine',
  plural: 'machines',
  namespaced: true,
};
const finalizer = 'machine.cluster.x-k8s.io';
const paused = { spec: { paused: true } };
const notPaused = { spec: { paused: false } };

interface Given {
  readonly finalizers?: string[];
  readonly paused?: 'True' | 'False';
  readonly deleted?: string;
}

function fixture({ finalizers = [], paused: status, deleted }: Given): KubeObject {
  const machine: KubeObject = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name: 'm',
      namespace: 'default',
      generation: 1,
      finalizers,
      ...(deleted === undefined ? {} : { deletionTimestamp: deleted }),
    },
  };
  if (status === undefined) return machine;
  const [reason, message] = status === 'True' ? ['Paused', 'Cluster spec.paused is set to true'] : ['NotPaused', ''];
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const conditions = [{ type: 'Paused', status, reason, message, observedGeneration: 1, lastTransitionTime }];
  const reported: KubeObject & Conditioned = { ...machine, status: { conditions } };
  return reported;
}

describe('a reconcile ends after it added the finalizer or changed the Paused condition [14.6]', () => {
  const rows: {
    readonly name: string;
    readonly given: Given;
    readonly cluster: typeof paused;
    readonly reportsPaused?: boolean;
    readonly opens: boolean;
    readonly writes: boolean;
  }[] = [
    { name: 'new', given: {}, cluster: notPaused, opens: false, writes: true },
    { name: 'no finalizer yet', given: { paused: 'False' }, cluster: notPaused, opens: false, writes: true },
    {
      name: 'Paused not reported yet',
      given: { finalizers: [finalizer] },
      cluster: notPaused,
      opens: false,
      writes: true,
    },
    {
      name: 'Paused not reported yet, but reported by the reconcile',
      given: { finalizers: [finalizer] },
      cluster: notPaused,
      reportsPaused: true,
      opens: true,
      writes: false,
    },
    {
      name: 'just unpaused, also if the reconcile reports it',
      given: { finalizers: [finalizer], paused: 'True' },
      cluster: notPaused,
      reportsPaused: true,
      opens: false,
      writes: true,
    },
    {
      name: 'just unpaused',
      given: { finalizers: [finalizer], paused: 'True' },
      cluster: notPaused,
      opens: false,
      writes: true,
    },
    {
      name: 'just paused',
      given: { finalizers: [finalizer], paused: 'False' },
      cluster: paused,
      opens: false,
      writes: true,
    },
    {
      name: 'still paused',
      given: { finalizers: [finalizer], paused: 'True' },
      cluster: paused,
      opens: false,
      writes: false,
    },
    {
      name: 'not paused',
      given: { finalizers: [finalizer], paused: 'False' },
      cluster: notPaused,
      opens: true,
      writes: false,
    },
    {
      name: 'being deleted, without a finalizer',
      given: { paused: 'False', deleted: '2026-01-01T00:00:00Z' },
      cluster: notPaused,
      opens: true,
      writes: false,
    },
  ];
  it.each(rows)('$name', async ({ given, cluster, reportsPaused = false, opens, writes }) => {
    let patches = 0;
    const again: ObjectKey[] = [];
    const patch = (): Promise<Frozen<KubeObject>> => {
      patches += 1;
      return Promise.resolve(fixture(given));
    };
    const clock = new VirtualClock();
    const client = { patch } as Partial<Client> as Client;
    const executor = new ChangeExecutor({ client, clock, controller: 'test' });
    const context: Pick<ReconcileContext, 'change' | 'clock' | 'enqueue'> = {
      change: executor.change.bind(executor),
      clock,
      enqueue: (key) => void again.push(key),
    };
    expect(await openReconcile(context, machines, fixture(given), { finalizer, cluster, reportsPaused })).toBe(opens);
    expect(patches > 0).toBe(writes);
    expect(again).toHaveLength(writes ? 1 : 0);
  });
});
