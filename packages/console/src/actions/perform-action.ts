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
import { isAllowed } from '../access/reviews.js';
import { HttpError } from '../http/message.js';
import type { Action } from '../model/action.js';

export interface ActionContext {
  readonly client: Client;
  readonly nowMs: number;
}

const replicasMax = 1_000;

/** Performs an action with the user's client. Reports missing permissions before the first write. */
export async function performAction(context: ActionContext, action: Action): Promise<string> {
  const { of } = action;
  switch (action.action) {
    case 'pause':
    case 'resume': {
      const paused = action.action === 'pause';
      await patch(context, clusters as Resource, of, { spec: { paused } });
      return `${of.name} is ${paused ? 'paused' : 'no longer paused'}`;
    }
    case 'delete':
      return remove(context, of);
    case 'scale':
      return scale(context, of, action.replicas);
    case 'upgrade':
      return upgrade(context, of, action.version);
    case 'roll-out':
      return rollOut(context, of);
  }
}

async function remove({ client }: ActionContext, of: ObjectRef): Promise<string> {
  if (of.kind !== 'Cluster') throw new HttpError(400, 'the console can only delete Clusters');
  await check(client, 'delete', clusters as Resource, of);
  await client.delete(clusters as Resource, keyOf(of));
  return `${of.name} is being deleted`;
}

async function scale(context: ActionContext, of: ObjectRef, replicas: number): Promise<string> {
  if (!Number.isInteger(replicas) || replicas < 0 || replicas > replicasMax)
    throw new HttpError(400, `replicas must be between 0 and ${replicasMax}`);
  const { resource, object } = await read(context.client, of);
  const target = topologyTarget(object);
  if (target === undefined) await patch(context, resource, of, { spec: { replicas } });
  else await changeTopology(context, object, target, replicas);
  return `${of.name} is being scaled to ${replicas} replicas`;
}

async function upgrade(context: ActionContext, of: ObjectRef, requested: string): Promise<string> {
  const version = withVersionPrefix(requested.trim());
  if (!isKubernetesVersion(version))
    throw new HttpError(400, `invalid Kubernetes version ${requested}`, 'use a version such as v1.35.2');
  if (of.kind === 'Cluster') {
    await patch(context, clusters as Resource, of, { spec: { topology: { version } } });
    return `${of.name} is being upgraded to ${version}`;
  }
  const { resource, object } = await read(context.client, of);
  if (topologyTarget(object) !== undefined)
    throw new HttpError(409, `${of.name} is managed by the topology of its Cluster`, 'upgrade the Cluster instead');
  const isControlPlane = of.group.startsWith('controlplane.');
  await patch(context, resource, of, { spec: isControlPlane ? { version } : { template: { spec: { version } } } });
  return `${of.name} is being upgraded to ${version}`;
}

async function rollOut({ client, nowMs }: ActionContext, of: ObjectRef): Promise<string> {
  const kind = of.kind.toLowerCase();
  if (!Object.hasOwn(rolloutKinds, kind)) throw new HttpError(400, `${of.kind} does not support rollouts`);
  const target = { kind: kind as RolloutKind, key: keyOf(of) };
  await check(client, 'patch', rolloutKinds[target.kind], of);
  try {
    await restartRollout(client, target, nowMs);
  } catch (error) {
    if (error instanceof RolloutError) throw new HttpError(409, error.message);
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
  if (resource === undefined) throw new HttpError(400, `${of.kind} cannot be scaled`);
  return { resource, object: await client.get(resource, keyOf(of)) };
}

type TopologyTarget =
  | { readonly part: 'controlPlane' }
  | { readonly part: 'machineDeployments' | 'machinePools'; readonly name: string };

/** Returns the part of the Cluster topology that manages this object, or undefined if the topology does not manage it. */
function topologyTarget({ metadata, kind }: Observed): TopologyTarget | undefined {
  const own = metadata.labels ?? {};
  if (!Object.hasOwn(own, labels.topologyOwned)) return undefined;
  const deployment = own[labels.topologyDeploymentName];
  if (kind === 'MachineDeployment' && deployment !== undefined) return { part: 'machineDeployments', name: deployment };
  const pool = own[labels.topologyPoolName];
  if (kind === 'MachinePool' && pool !== undefined) return { part: 'machinePools', name: pool };
  return { part: 'controlPlane' };
}

/** Changes the replicas in the Cluster's topology: the topology controller would revert a change of the object itself. */
async function changeTopology(
  context: ActionContext,
  object: Observed,
  target: TopologyTarget,
  replicas: number,
): Promise<void> {
  const { namespace = '' } = object.metadata;
  const name = object.metadata.labels?.[labels.clusterName] ?? '';
  const of = { group: clusters.group, kind: clusters.kind, namespace, name };
  if (target.part === 'controlPlane') {
    await patch(context, clusters as Resource, of, { spec: { topology: { controlPlane: { replicas } } } });
    return;
  }
  const { client } = context;
  await check(client, 'patch', clusters as Resource, of);
  const cluster = (await client.get(clusters as Resource, keyOf(of))) as Observed;
  const { spec } = cluster as {
    spec?: { topology?: { workers?: Record<string, readonly { readonly name?: string }[]> } };
  };
  const index = spec?.topology?.workers?.[target.part]?.findIndex((one) => one.name === target.name) ?? -1;
  if (index < 0)
    throw new HttpError(409, `the topology of ${name} no longer contains ${target.name}`, 'reload the page');
  const path = `/spec/topology/workers/${target.part}/${index}`;
  await client.patch(clusters as Resource, keyOf(of), {
    type: 'json',
    patch: [
      // Fail if the entry moved because another client changed the list.
      { op: 'test', path: `${path}/name`, value: target.name },
      { op: 'add', path: `${path}/replicas`, value: replicas },
    ],
  });
}

async function patch({ client }: ActionContext, resource: Resource, of: ObjectRef, body: JsonObject): Promise<void> {
  await check(client, 'patch', resource, of);
  await client.patch(resource, keyOf(of), { type: 'merge', patch: body });
}

async function check(client: Client, verb: string, resource: Resource, of: ObjectRef): Promise<void> {
  const { group, plural } = resource;
  const { namespace, name } = of;
  if (await isAllowed(client, { verb, group, resource: plural, namespace, name })) return;
  throw new HttpError(403, `you are not allowed to ${verb} ${plural} ${name} in namespace ${namespace}`);
}

function keyOf({ namespace, name }: ObjectRef): ObjectKey {
  return { namespace, name };
}
