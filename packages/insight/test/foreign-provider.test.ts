import { readFileSync } from 'node:fs';
import { clusters, machineDeployments } from '@slipway/cluster-api';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import type { Client, Conditioned } from '@slipway/runtime';
import { isConditionTrue, secrets } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  applyObjects,
  type ManagementState,
  readManifest,
  type Plan,
  planOf,
  readState,
  whatIf,
} from '../src/index.js';
import { type RealPlane, startRealPlane } from './real-plane.js';

const namespace = 'default';
const name = 'quick-start';
const text = readFileSync(new URL('../../../docs/samples/quick-start.yaml', import.meta.url), 'utf8');

/** Renames the kinds to those of an unknown provider, of which only the contract is known. */
function withForeignKinds<T>(value: T): T {
  const renamed = JSON.stringify(value)
    .replaceAll(/\bDev(Cluster|Machine)/g, 'Foreign$1')
    .replaceAll(/\bdev(cluster|machine)/g, 'foreign$1')
    .replaceAll('in-memory://', 'foreign://');
  return JSON.parse(renamed) as T;
}

let plane: RealPlane;
let state: ManagementState;
beforeAll(async () => {
  plane = await startRealPlane();
  await applyObjects(plane.client, readManifest(text, 'quick-start.yaml'), { namespace });
  await plane.until('the cluster is up', clusters, (view) =>
    view.list().some((cluster) => isConditionTrue(cluster as Conditioned, 'Available')),
  );
  state = withForeignKinds(await readState(plane.client, {}));
});
afterAll(() => plane.stop());

const planFor = async (change: (client: Client) => Promise<unknown>, of = state): Promise<Plan> =>
  planOf(await whatIf({ state: of, nowMs: Date.now(), change: async (client) => void (await change(client)) }));

const upgrade = async (client: Client): Promise<void> => {
  const merge = (patch: object) => ({ type: 'merge', patch }) as never;
  await client.patch(kubeadmControlPlanes, { namespace, name }, merge({ spec: { version: 'v1.36.0' } }));
  const template = { spec: { version: 'v1.36.0' } };
  await client.patch(machineDeployments, { namespace, name: `${name}-workers` }, merge({ spec: { template } }));
};

describe('a plan with a provider that is not built in', () => {
  it('simulates existing machines and provisions new ones', async () => {
    expect(state.definitions.map(({ metadata }) => metadata.name)).toContain(
      'foreignmachines.infrastructure.cluster.x-k8s.io',
    );
    const nothing = await planFor(() => Promise.resolve());
    expect(nothing).toMatchObject({ summary: { create: 0, replace: 0, update: 0, delete: 0 }, isSettled: true });
    const plan = await planFor(upgrade);
    expect(plan).toMatchObject({ summary: { create: 0, replace: 3, update: 0, delete: 0 }, isSettled: true });
    const verbs = plan.steps.map(({ verb, group }) => `${verb} ${group.kind}`);
    expect(verbs.slice(0, 2)).toEqual(['create KubeadmControlPlane', 'delete KubeadmControlPlane']);
  });

  it('simulates the creation and the deletion of a cluster', async () => {
    const objects = readManifest(withForeignKinds(text.replaceAll(name, 'another')), 'another.yaml');
    const made = await planFor((client) => applyObjects(client, objects, { namespace }));
    expect(made).toMatchObject({ summary: { create: 3, replace: 0, update: 0, delete: 0 }, isSettled: true });
    const gone = await planFor((client) => client.delete(clusters, { namespace, name }));
    expect(gone).toMatchObject({ summary: { create: 0, replace: 0, update: 0, delete: 3 }, isSettled: true });
  });

  it('sends no request to a real cluster, whatever the server in the kubeconfig', async () => {
    const elsewhere = (kubeconfig: string): string =>
      kubeconfig.replace(/server: .*/, 'server: https://192.0.2.1:6443');
    const objects = state.objects.map((placed) => {
      const { data } = placed.object as { data?: { value?: string } };
      if (placed.resource.kind !== secrets.kind || placed.object.metadata.name !== `${name}-kubeconfig`) return placed;
      const value = Buffer.from(elsewhere(Buffer.from(data?.value ?? '', 'base64').toString())).toString('base64');
      return { ...placed, object: { ...placed.object, data: { value } } };
    });
    const plan = await planFor(upgrade, { ...state, objects });
    expect(plan).toMatchObject({ summary: { create: 0, replace: 3, update: 0, delete: 0 }, isSettled: true });
  });
});
