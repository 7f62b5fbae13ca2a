import { readFileSync } from 'node:fs';
import { clusters, machineDeployments, machines } from '@slipway/cluster-api';
import type { JsonObject, KubeObject } from '@slipway/kube';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import { type Client, type Conditioned, isConditionTrue, isDeleting, type Resource } from '@slipway/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import {
  applyObjects,
  type MachineEvent,
  readManifest,
  type Plan,
  planOf,
  readState,
  unsettledOf,
  whatIf,
} from '../src/index.js';
import { type RealPlane, startRealPlane } from './real-plane.js';

const namespace = 'default';
const name = 'quick-start';
const workers = { namespace, name: `${name}-workers` };
const read = (file: string): KubeObject[] =>
  readManifest(readFileSync(new URL(`../../../docs/samples/${file}`, import.meta.url), 'utf8'), file);
const quickStart = read('quick-start.yaml');

let plane: RealPlane | undefined;
afterEach(async () => {
  await plane?.stop();
  plane = undefined;
});

interface Step {
  readonly verb: string;
  readonly machine: string;
  readonly group: MachineEvent['group'];
  readonly version: string;
}

/** Formats the steps. Existing machines have their names, new machines, whose names are random, the name of their owner. */
function transcript(steps: readonly Step[], known: ReadonlySet<string>): string[] {
  return steps
    .filter(({ verb }) => verb === 'create' || verb === 'delete')
    .map(({ verb, machine, group, version }) => {
      return `${verb} ${group.kind} ${group.name} ${version} ${known.has(machine) ? machine : 'new'}`;
    });
}

const merge =
  (resource: Resource, key: { namespace: string; name: string }, patch: JsonObject) =>
  async (client: Client): Promise<void> => {
    await client.patch(resource, key, { type: 'merge', patch: structuredClone(patch) });
  };

const changeWorkers = (spec: JsonObject): ((client: Client) => Promise<void>) =>
  merge(machineDeployments, workers, { spec });
const changeControlPlane = (spec: JsonObject): ((client: Client) => Promise<void>) =>
  merge(kubeadmControlPlanes, { namespace, name }, { spec });

interface Scenario {
  readonly name: string;
  /** The initial cluster. Defaults to the cluster of the quick start. */
  readonly sample?: readonly KubeObject[];
  /** Called before the plan is made. */
  readonly prepare?: (client: Client) => Promise<void>;
  readonly change: (client: Client) => Promise<void>;
  readonly then: Partial<Plan['summary']>;
}

const other = (quickStart.find(({ kind }) => kind === 'DevMachineTemplate') ?? {}) as KubeObject;

const scenarios: readonly Scenario[] = [
  { name: 'scaling workers up', change: changeWorkers({ replicas: 5 }), then: { create: 3 } },
  { name: 'scaling workers down', change: changeWorkers({ replicas: 1 }), then: { delete: 1 } },
  {
    name: 'upgrading workers',
    change: changeWorkers({ template: { spec: { version: 'v1.35.1' } } }),
    then: { replace: 2 },
  },
  {
    name: 'changing the template of workers',
    change: async (client) => {
      await applyObjects(client, [{ ...other, metadata: { name: 'other', namespace } }], { namespace });
      await changeWorkers({ template: { spec: { infrastructureRef: { name: 'other' } } } })(client);
    },
    then: { replace: 2 },
  },
  {
    name: 'upgrading workers with maxSurge 0',
    prepare: changeWorkers({
      replicas: 3,
      rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
    }),
    change: changeWorkers({ template: { spec: { version: 'v1.35.1' } } }),
    then: { replace: 3 },
  },
  {
    name: 'upgrading workers with OnDelete replaces nothing before a deletion',
    prepare: changeWorkers({ rollout: { strategy: { type: 'OnDelete', rollingUpdate: null } } }),
    change: changeWorkers({ template: { spec: { version: 'v1.35.1' } } }),
    then: {},
  },
  {
    name: 'upgrading workers with OnDelete and deleting one of them',
    prepare: changeWorkers({ rollout: { strategy: { type: 'OnDelete', rollingUpdate: null } } }),
    change: async (client) => {
      await changeWorkers({ template: { spec: { version: 'v1.35.1' } } })(client);
      const { items } = await client.list(machines, {
        namespace,
        labelSelector: `cluster.x-k8s.io/deployment-name=${workers.name}`,
      });
      const [first = ''] = items.map(({ metadata }) => metadata.name ?? '').sort();
      await client.delete(machines, { namespace, name: first });
    },
    then: { replace: 1 },
  },
  {
    name: 'upgrading a control plane of three',
    prepare: changeControlPlane({ replicas: 3 }),
    change: changeControlPlane({ version: 'v1.36.0' }),
    then: { replace: 3 },
  },
  {
    name: 'changing fields that are propagated in place',
    change: changeWorkers({ template: { spec: { deletion: { nodeDrainTimeoutSeconds: 30 } } } }),
    then: { update: 2 },
  },
  {
    name: 'upgrading a topology: control plane first',
    sample: read('quick-start-topology.yaml'),
    change: merge(clusters, { namespace, name }, { spec: { topology: { version: 'v1.36.0' } } }),
    then: { replace: 3 },
  },
  {
    name: 'deleting the cluster',
    change: async (client) => {
      await client.delete(clusters, { namespace, name });
    },
    then: { delete: 3 },
  },
];

describe('a plan predicts the steps of the controllers:', () => {
  it.each(scenarios)('$name', async ({ sample = quickStart, prepare, change, then }) => {
    plane = await startRealPlane({ ClusterTopology: sample !== quickStart });
    const { client } = plane;
    await applyObjects(client, sample, { namespace });
    await untilQuiet(plane);
    if (prepare !== undefined) {
      await prepare(client);
      await untilQuiet(plane);
    }
    const plan = planOf(await whatIf({ state: await readState(client, {}), nowMs: Date.now(), change }));
    const known = new Set((await client.list(machines)).items.map(({ metadata }) => metadata.name ?? ''));
    const { events } = plane;
    events.length = 0;
    const observed = (): string[] =>
      transcript(
        events.map((event) => ({ ...event, machine: event.name })),
        known,
      );
    await change(client);
    const planned = transcript(plan.steps, known);
    await untilSteps(plane, () => observed().length >= planned.length);
    await untilQuiet(plane);
    expect(observed()).toEqual(planned);
    expect(plan.summary).toEqual({ create: 0, replace: 0, update: 0, delete: 0, ...then });
  });
});

/** Waits until the planned steps have happened. The comparison afterwards reports missing and additional steps. */
async function untilSteps(plane: RealPlane, isEnough: () => boolean): Promise<void> {
  await plane.until('the planned steps', machines, isEnough).catch(() => undefined);
}

async function untilQuiet(plane: RealPlane): Promise<void> {
  await plane.until('clusters are available or going', clusters, (view) =>
    view.list().every((one) => isDeleting(one) || isConditionTrue(one as Conditioned, 'Available')),
  );
  await plane.until('machines are up or gone', machines, (view) => unsettledOf(view.list()).length === 0);
  const isOpen = async (): Promise<boolean> => (await plane.client.list(clusters)).items.length > 0;
  if (!(await isOpen())) return;
  await plane.until('deployments have what they want', machineDeployments, (view) =>
    view.list().every((one) => one.status?.observedGeneration === one.metadata.generation && isDone(one)),
  );
  await plane.until('control planes have what they want', kubeadmControlPlanes, (view) =>
    view.list().every((one) => one.status?.observedGeneration === one.metadata.generation && isDone(one)),
  );
  await plane.until('machines are up or gone', machines, (view) => unsettledOf(view.list()).length === 0);
}

interface Group {
  readonly spec: { readonly replicas?: number };
  readonly status?: { readonly availableReplicas?: number; readonly replicas?: number };
}

function isDone({ spec, status }: Group): boolean {
  const wanted = spec.replicas ?? 1;
  return status?.replicas === wanted && status.availableReplicas === wanted;
}
