import {
  clusterNameOf,
  conditionOf,
  explain,
  type Explanation,
  findObject,
  type ObjectRef,
  type Observed,
  readObject,
  refText,
} from '../src/index.js';
import type { CauseName } from '../src/why/index.js';
import { type ClusterShape, clusterManifests, ref } from './manifests.js';
import type { World } from './world.js';

/** Something that went wrong, and what `why` has to say about it. */
export interface Situation {
  readonly name: string;
  /** Creates the situation in its own namespace, and returns the object to explain. */
  readonly make: (world: World, namespace: string) => Promise<ObjectRef>;
  readonly cause: CauseName;
  /** The object to blame, as `Kind name`. */
  readonly root: RegExp | string;
  readonly reason?: string;
  readonly message: RegExp;
  /** The next command. */
  readonly next: RegExp;
}

export async function ask(world: World, subject: ObjectRef): Promise<Explanation> {
  const object = await world.get(subject);
  const set = await readObject(world.client, object, clusterNameOf(object));
  return explain(set, object, world.clock.now());
}

/** As `Kind name`: namespaces differ from one situation to the next. */
export function nameOf({ kind, name }: ObjectRef): string {
  return `${kind} ${name}`;
}

export async function available(world: World, shape: ClusterShape): Promise<ObjectRef> {
  await world.create(...clusterManifests(shape));
  const cluster = ref('Cluster', shape.namespace, shape.name);
  await untilCondition(world, cluster, 'Available', 'True');
  return cluster;
}

export async function untilCondition(
  world: World,
  target: ObjectRef,
  type: string,
  status: string,
  reason?: string,
): Promise<void> {
  await world.until(`${type} of ${refText(target)} is ${status} ${reason ?? ''}`, async () => {
    const object = await findObject(world.client, target);
    const condition = object && conditionOf(object, type);
    return condition?.status === status && (reason === undefined || condition.reason === reason);
  });
}

/** The only one, or the first, of a kind in a namespace that fits. */
export async function one(
  world: World,
  kind: string,
  namespace: string,
  fits: (object: Observed) => boolean = () => true,
): Promise<ObjectRef> {
  const { group } = ref(kind, namespace, '');
  const resource = await world.client.resourceFor({ group, kind });
  if (resource === undefined) throw new Error(`nothing serves ${kind}`);
  let found: Observed | undefined;
  await world.until(`there is a ${kind}`, async () => {
    found = (await world.client.list(resource, { namespace })).items.find(fits);
    return found !== undefined;
  });
  return ref(kind, namespace, found?.metadata.name ?? '');
}

export const isWorker = (object: Observed): boolean =>
  !Object.hasOwn(object.metadata.labels ?? {}, 'cluster.x-k8s.io/control-plane');
export const isControlPlane = (object: Observed): boolean => !isWorker(object);
