import {
  clusters,
  machineDeployments,
  machinePools,
  withVersionPrefix,
  isKubernetesVersion,
  labels,
} from '@slipway/cluster-api';
import {
  type ObjectRef,
  type Observed,
  restartRollout,
  RolloutError,
  type RolloutKind,
  rolloutKinds,
} from '@slipway/insight';
import type { JsonObject } from '@slipway/kube';
import type { Client, ObjectKey, Resource } from '@slipway/runtime';
import { mayDo } from '../access/reviews.js';
import { Refusal } from '../http/message.js';
import type { Action } from '../model/action.js';

export interface ActionWorld {
  readonly client: Client;
  readonly nowMs: number;
}

const replicasMax = 1_000;

/** Does what a person wants, as that person. What he may not do is refused before it is tried, in words. */
export async function carryOut(world: ActionWorld, action: Action): Promise<string> {
  const { of } = action;
  switch (action.action) {
    case 'pause':
    case 'resume': {
      const paused = action.action === 'pause';
      await patch(world, clusters as Resource, of, { spec: { paused } });
      return `${of.name} is ${paused ? 'paused' : 'no longer paused'}`;
    }
    case 'delete':
      return remove(world, of);
    case 'scale':
      return scale(world, of, action.replicas);
    case 'upgrade':
      return upgrade(world, of, action.version);
    case 'roll-out':
      return rollOut(world, of);
  }
}

async function remove({ client }: ActionWorld, of: ObjectRef): Promise<string> {
  if (of.kind !== 'Cluster') throw new Refusal(400, 'the console can only delete Clusters');
  await check(client, 'delete', clusters as Resource, of);
  await client.delete(clusters as Resource, keyOf(of));
  return `${of.name} is being deleted`;
}

async function scale(world: ActionWorld, of: ObjectRef, replicas: number): Promise<string> {
  if (!Number.isInteger(replicas) || replicas < 0 || replicas > replicasMax)
    throw new Refusal(400, `replicas must be between 0 and ${replicasMax}`);
  const { resource, object } = await read(world.client, of);
  const place = topologyPlace(object);
  if (place === undefined) await patch(world, resource, of, { spec: { replicas } });
  else await changeTopology(world, object, place, replicas);
  return `${of.name} is being scaled to ${replicas} replicas`;
}

async function upgrade(world: ActionWorld, of: ObjectRef, wanted: string): Promise<string> {
  const version = withVersionPrefix(wanted.trim());
  if (!isKubernetesVersion(version))
    throw new Refusal(400, `invalid Kubernetes version ${wanted}`, 'use a version such as v1.35.2');
  if (of.kind === 'Cluster') {
    await patch(world, clusters as Resource, of, { spec: { topology: { version } } });
    return `${of.name} is being upgraded to ${version}`;
  }
  const { resource, object } = await read(world.client, of);
  if (topologyPlace(object) !== undefined)
    throw new Refusal(409, `${of.name} is managed by the topology of its Cluster`, 'upgrade the Cluster instead');
  const isControlPlane = of.group.startsWith('controlplane.');
  await patch(world, resource, of, { spec: isControlPlane ? { version } : { template: { spec: { version } } } });
  return `${of.name} is being upgraded to ${version}`;
}

async function rollOut({ client, nowMs }: ActionWorld, of: ObjectRef): Promise<string> {
  const kind = of.kind.toLowerCase();
  if (!Object.hasOwn(rolloutKinds, kind)) throw new Refusal(400, `${of.kind} does not support rollouts`);
  const target = { kind: kind as RolloutKind, key: keyOf(of) };
  await check(client, 'patch', rolloutKinds[target.kind], of);
  try {
    await restartRollout(client, target, nowMs);
  } catch (error) {
    if (error instanceof RolloutError) throw new Refusal(409, error.message);
    throw error;
  }
  return `the Machines of ${of.name} are being replaced`;
}

interface Found {
  readonly resource: Resource;
  readonly object: Observed;
}

async function read(client: Client, of: ObjectRef): Promise<Found> {
  const builtin = [machineDeployments, machinePools].find(({ kind }) => kind === of.kind) as Resource | undefined;
  const isControlPlane = of.group.startsWith('controlplane.') && !of.kind.endsWith('Template');
  const resource = builtin ?? (isControlPlane ? await client.resourceFor(of) : undefined);
  if (resource === undefined) throw new Refusal(400, `${of.kind} cannot be scaled`);
  return { resource, object: await client.get(resource, keyOf(of)) };
}

type TopologyPlace =
  | { readonly part: 'controlPlane' }
  | { readonly part: 'machineDeployments' | 'machinePools'; readonly name: string };

/** The path in the Cluster topology that manages this object. */
function topologyPlace({ metadata, kind }: Observed): TopologyPlace | undefined {
  const own = metadata.labels ?? {};
  if (!Object.hasOwn(own, labels.topologyOwned)) return undefined;
  const deployment = own[labels.topologyDeploymentName];
  if (kind === 'MachineDeployment' && deployment !== undefined) return { part: 'machineDeployments', name: deployment };
  const pool = own[labels.topologyPoolName];
  if (kind === 'MachinePool' && pool !== undefined) return { part: 'machinePools', name: pool };
  return { part: 'controlPlane' };
}

/** The topology would set it back. */
async function changeTopology(
  world: ActionWorld,
  object: Observed,
  place: TopologyPlace,
  replicas: number,
): Promise<void> {
  const { namespace = '' } = object.metadata;
  const name = object.metadata.labels?.[labels.clusterName] ?? '';
  const of = { group: clusters.group, kind: clusters.kind, namespace, name };
  if (place.part === 'controlPlane') {
    await patch(world, clusters as Resource, of, { spec: { topology: { controlPlane: { replicas } } } });
    return;
  }
  const { client } = world;
  await check(client, 'patch', clusters as Resource, of);
  const cluster = (await client.get(clusters as Resource, keyOf(of))) as Observed;
  const { spec } = cluster as {
    spec?: { topology?: { workers?: Record<string, readonly { readonly name?: string }[]> } };
  };
  const index = spec?.topology?.workers?.[place.part]?.findIndex((one) => one.name === place.name) ?? -1;
  if (index < 0) throw new Refusal(409, `the topology of ${name} no longer contains ${place.name}`, 'reload the page');
  const path = `/spec/topology/workers/${place.part}/${index}`;
  await client.patch(clusters as Resource, keyOf(of), {
    type: 'json',
    patch: [
      // Guard against concurrent changes of the list.
      { op: 'test', path: `${path}/name`, value: place.name },
      { op: 'add', path: `${path}/replicas`, value: replicas },
    ],
  });
}

async function patch({ client }: ActionWorld, resource: Resource, of: ObjectRef, body: JsonObject): Promise<void> {
  await check(client, 'patch', resource, of);
  await client.patch(resource, keyOf(of), { type: 'merge', patch: body });
}

async function check(client: Client, verb: string, resource: Resource, of: ObjectRef): Promise<void> {
  const { group, plural } = resource;
  const { namespace, name } = of;
  if (await mayDo(client, { verb, group, resource: plural, namespace, name })) return;
  throw new Refusal(403, `you may not ${verb} ${plural} ${name} in namespace ${namespace}`);
}

function keyOf({ namespace, name }: ObjectRef): ObjectKey {
  return { namespace, name };
}
