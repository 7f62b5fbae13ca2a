import type { Frozen, KubeObject } from '@slipway/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fields, list } from '../../kinds/shared/fields.js';
import { disruptionBudgets } from '../shared/index.js';
import { Plane } from '../testing/plane.js';
import { startDisruptionBudgets } from './disruption-budgets.js';

let plane: Plane;

beforeEach(async () => {
  plane = await Plane.open();
  await plane.namespace('x');
  plane.run(startDisruptionBudgets(plane));
});

afterEach(() => plane.dispose());

const labels = { app: 'web' };

async function pod(name: string, ready: boolean, owner?: Frozen<KubeObject>): Promise<void> {
  const reference = owner && {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name ?? '',
    uid: owner.metadata.uid ?? '',
    controller: true,
  };
  const created = await plane.client.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'x', labels, ...(reference === undefined ? {} : { ownerReferences: [reference] }) },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] };
  await plane.client.update({ ...structuredClone(created), status } as never, 'status');
}

async function budget(spec: object): Promise<void> {
  const metadata = { name: 'b', namespace: 'x' };
  const selector = { matchLabels: labels };
  await plane.client.create({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: { selector, ...spec },
  });
  await plane.settle();
}

function replicaSet(replicas: number): Promise<Frozen<KubeObject>> {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  return plane.client.create({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'r', namespace: 'x' },
    spec,
  });
}

function numbers(): unknown[] {
  const status = fields(plane.get('policy/poddisruptionbudgets', 'x', 'b')?.['status']);
  return ['expectedPods', 'desiredHealthy', 'currentHealthy', 'disruptionsAllowed'].map((key) => status[key]);
}

const reason = () =>
  list(fields(plane.get('policy/poddisruptionbudgets', 'x', 'b')?.['status'])['conditions']).map(
    (one) => one['reason'],
  );

describe('status of PodDisruptionBudgets', () => {
  it('compares the number of healthy pods with minAvailable', async () => {
    await pod('p1', true);
    await pod('p2', true);
    await pod('p3', false);
    await budget({ minAvailable: 1 });
    expect(numbers()).toEqual([3, 1, 2, 1]);
    expect(reason()).toEqual(['SufficientPods']);
    await plane.client.delete({ group: '', version: 'v1', resource: 'pods' }, 'x', 'p1');
    await plane.settle();
    expect(numbers()).toEqual([2, 1, 1, 0]);
    expect(reason()).toEqual(['InsufficientPods']);
  });

  it.each([
    ["minAvailable as a percentage of the controller's replicas", { minAvailable: '50%' }, [4, 2, 3, 1]],
    ['maxUnavailable as a number', { maxUnavailable: 2 }, [4, 2, 3, 1]],
    ['maxUnavailable as a percentage, rounded up', { maxUnavailable: '30%' }, [4, 2, 3, 1]],
  ])('accepts %s', async (_name, spec, expected) => {
    const owner = await replicaSet(4);
    for (const name of ['p1', 'p2', 'p3']) await pod(name, true, owner);
    await budget(spec);
    expect(numbers()).toEqual(expected);
  });

  it('allows no disruptions if the expected number of pods is unknown', async () => {
    await pod('p1', true);
    await budget({ maxUnavailable: 1 });
    expect(numbers()[3]).toBe(0);
    expect(reason()).toEqual(['SyncFailed']);
  });

  it('sets observedGeneration', async () => {
    await budget({ minAvailable: 1 });
    await plane.client.patch(disruptionBudgets, 'x', 'b', { spec: { minAvailable: 2 } });
    await plane.settle();
    expect(fields(plane.get('policy/poddisruptionbudgets', 'x', 'b')?.['status'])['observedGeneration']).toBe(2);
  });
});
