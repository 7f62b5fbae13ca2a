import {
  annotations,
  labels,
  machineDeployments,
  machineSets,
  numberAt,
  revisionAnnotations,
  textAt,
} from '@slipway/cluster-api';
import { formatTime, type JsonObject, type JsonValue, parseTime } from '@slipway/kube';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import { type Client, ifPresent, isControlledBy, type ObjectKey, type Resource } from '@slipway/runtime';
import type { Observed } from '../objects/index.js';
import { conditionOf } from '../tree/index.js';

/** Resource types that support rollouts, by clusterctl's argument names. */
export const rolloutKinds = {
  machinedeployment: machineDeployments as Resource,
  kubeadmcontrolplane: kubeadmControlPlanes as Resource,
} as const;
export type RolloutKind = keyof typeof rolloutKinds;

/** The rollout operation is not possible in the current state. Uses clusterctl's message where it has one. */
export class RolloutError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RolloutError';
  }
}

export interface RolloutTarget {
  readonly kind: RolloutKind;
  readonly key: ObjectKey;
}

export function parseRolloutTarget(text: string, namespace: string): RolloutTarget {
  const [kind = '', name = '', ...rest] = text.toLowerCase().split('/');
  if (name === '' || rest.length > 0)
    throw new RolloutError(
      `invalid resource ${JSON.stringify(text)}: use kind/name, such as machinedeployment/demo-workers`,
    );
  if (!isRolloutKind(kind))
    throw new RolloutError(
      `Invalid resource type ${JSON.stringify(kind)}, valid values are [machinedeployment kubeadmcontrolplane]`,
    );
  return { kind, key: { namespace, name } };
}

function isRolloutKind(kind: string): kind is RolloutKind {
  return Object.hasOwn(rolloutKinds, kind);
}

async function read(client: Client, { kind, key }: RolloutTarget, signal?: AbortSignal): Promise<Observed> {
  const { kind: name } = rolloutKinds[kind];
  const found = await ifPresent(client.get(rolloutKinds[kind], key, { signal }));
  if (found === undefined) throw new RolloutError(`failed to get ${name} ${key.namespace}/${key.name}: not found`);
  return found;
}

function isPaused(kind: RolloutKind, object: Observed): boolean {
  return kind === 'machinedeployment'
    ? (object as { spec?: { paused?: boolean } }).spec?.paused === true
    : Object.hasOwn(object.metadata.annotations ?? {}, annotations.paused);
}

async function merge(
  client: Client,
  { kind, key }: RolloutTarget,
  patch: JsonObject,
  signal?: AbortSignal,
): Promise<void> {
  await client.patch(rolloutKinds[kind], key, { type: 'merge', patch }, { signal });
}

/** Starts a rolling replacement of all Machines. */
export async function restartRollout(
  client: Client,
  target: RolloutTarget,
  nowMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const object = await read(client, target, signal);
  const what = `${target.kind}/${target.key.name}`;
  const { kind } = object;
  if (isPaused(target.kind, object)) {
    const first =
      target.kind === 'machinedeployment'
        ? 'run rollout resume first'
        : `remove annotation '${annotations.paused}' first`;
    throw new RolloutError(`can't restart paused ${kind} (${first}): ${what}`);
  }
  const after = textAt(object, 'spec', 'rollout', 'after');
  if (after !== undefined && parseTime(after) > nowMs)
    throw new RolloutError(`can't update ${kind} (remove 'spec.rollout.after' first): ${what}`);
  await merge(client, target, { spec: { rollout: { after: formatTime(nowMs) } } }, signal);
}

export async function pauseRollout(client: Client, target: RolloutTarget, signal?: AbortSignal): Promise<void> {
  const object = await read(client, target, signal);
  if (isPaused(target.kind, object))
    throw new RolloutError(`${object.kind} is already paused: ${target.kind}/${target.key.name}`);
  const patch =
    target.kind === 'machinedeployment'
      ? { spec: { paused: true } }
      : { metadata: { annotations: { [annotations.paused]: 'true' } } };
  await merge(client, target, patch, signal);
}

export async function resumeRollout(client: Client, target: RolloutTarget, signal?: AbortSignal): Promise<void> {
  const object = await read(client, target, signal);
  if (!isPaused(target.kind, object))
    throw new RolloutError(`${object.kind} is not currently paused: ${target.kind}/${target.key.name}`);
  const patch =
    target.kind === 'machinedeployment'
      ? { spec: { paused: false } }
      : { metadata: { annotations: { [annotations.paused]: null } } };
  await merge(client, target, patch, signal);
}

export interface RolloutStatus {
  readonly done: boolean;
  readonly message: string;
}

/** Returns the progress of a rollout. */
export function rolloutStatus(object: Observed): RolloutStatus {
  const name = `${object.kind} ${JSON.stringify(object.metadata.name)}`;
  const generation = object.metadata.generation ?? 0;
  if ((numberAt(object, 'status', 'observedGeneration') ?? 0) < generation)
    return { done: false, message: `Waiting for the ${name} spec update to be observed` };
  const desired = numberAt(object, 'spec', 'replicas') ?? 1;
  const [replicas, upToDate, available] = ['replicas', 'upToDateReplicas', 'availableReplicas'].map(
    (field) => numberAt(object, 'status', field) ?? 0,
  ) as [number, number, number];
  if (upToDate < desired)
    return { done: false, message: `Waiting for ${name}: ${upToDate} of ${desired} machines are up to date` };
  if (replicas > upToDate)
    return {
      done: false,
      message: `Waiting for ${name}: ${replicas - upToDate} outdated machines are pending deletion`,
    };
  if (available < desired)
    return {
      done: false,
      message: `Waiting for ${name}: ${available} of ${desired} up-to-date machines are available`,
    };
  if (conditionOf(object, 'RollingOut')?.status === 'True')
    return { done: false, message: `Waiting for ${name} to finish rolling out` };
  return { done: true, message: `${name} successfully rolled out` };
}

/**
 * Restores the template of an earlier MachineSet. The controller deletes old MachineSets after a rollout, so that this is
 * possible only during one.
 */
export async function undoRollout(
  client: Client,
  target: RolloutTarget,
  toRevision: number | undefined,
  signal?: AbortSignal,
): Promise<number> {
  if (target.kind !== 'machinedeployment')
    throw new RolloutError(
      `Invalid resource type ${JSON.stringify(target.kind)}, valid values are [machinedeployment]`,
    );
  const deployment = await read(client, target, signal);
  const labelSelector = `${labels.deploymentName}=${target.key.name}`;
  const { items } = await client.list(machineSets, { namespace: target.key.namespace, labelSelector, signal });
  const own = items.filter((set) => isControlledBy(set as Observed, deployment)) as readonly Observed[];
  const current = revisionOf(deployment);
  const revisions = own.map(revisionOf).filter((revision) => revision < current);
  const desired = toRevision ?? Math.max(...revisions, 0);
  const found = own.find((set) => revisionOf(set) === desired);
  if (found === undefined)
    throw new RolloutError(
      revisions.length === 0
        ? `no earlier revision of ${target.kind}/${target.key.name} exists: old MachineSets are kept only during a rollout`
        : `revision ${desired} of ${target.kind}/${target.key.name} does not exist; existing revisions: ${revisions.join(', ')}`,
    );
  const template = withoutHash((found as { spec?: { template?: JsonObject } }).spec?.template ?? {});
  await client.patch(
    rolloutKinds.machinedeployment,
    target.key,
    {
      type: 'json',
      patch: [{ op: 'replace', path: '/spec/template', value: template }],
    },
    { signal },
  );
  return desired;
}

function revisionOf(object: Observed): number {
  return Number(object.metadata.annotations?.[revisionAnnotations.revision] ?? 0);
}

/** Removes the label that the MachineDeployment controller adds to each MachineSet's template. */
function withoutHash(template: JsonObject): JsonValue {
  const { metadata, ...rest } = template as { metadata?: { labels?: Record<string, string> } };
  const { [labels.machineTemplateHash]: _hash, ...own } = metadata?.labels ?? {};
  return { ...rest, metadata: { ...metadata, labels: own } } as JsonValue;
}
