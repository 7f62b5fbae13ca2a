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
import type { SimulatedPlane } from './simulated-plane.js';

/** A failure, and the explanation that `why` must give. */
export interface Situation {
  readonly name: string;
  /** Creates the situation in its own namespace, and returns the object to explain. */
  readonly make: (plane: SimulatedPlane, namespace: string) => Promise<ObjectRef>;
  readonly cause: CauseName;
  /** The object at fault, as `Kind name`. */
  readonly root: RegExp | string;
  readonly reason?: string;
  readonly message: RegExp;
  /** The command that `why` must suggest. */
  readonly next: RegExp;
}

export async function explainObject(plane: SimulatedPlane, subject: ObjectRef): Promise<Explanation> {
  const object = await plane.get(subject);
  const set = await readObject(plane.client, object, clusterNameOf(object));
  return explain(set, object, plane.clock.now());
}

/** Returns `Kind name`, without the namespace, which differs between situations. */
export function nameOf({ kind, name }: ObjectRef): string {
  return `${kind} ${name}`;
}

export async function available(plane: SimulatedPlane, shape: ClusterShape): Promise<ObjectRef> {
  await plane.create(...clusterManifests(shape));
  const cluster = ref('Cluster', shape.namespace, shape.name);
  await untilCondition(plane, cluster, 'Available', 'True');
  return cluster;
}

export async function untilCondition(
  plane: SimulatedPlane,
  target: ObjectRef,
  type: string,
  status: string,
  reason?: string,
): Promise<void> {
  await plane.until(`${type} of ${refText(target)} is ${status} ${reason ?? ''}`, async () => {
    const object = await findObject(plane.client, target);
    const condition = object && conditionOf(object, type);
    return condition?.status === status && (reason === undefined || condition.reason === reason);
  });
}

/** Returns the first object of a kind in a namespace that matches. */
export async function firstOf(
  plane: SimulatedPlane,
  kind: string,
  namespace: string,
  fits: (object: Observed) => boolean = () => true,
): Promise<ObjectRef> {
  const { group } = ref(kind, namespace, '');
  const resource = await plane.client.resourceFor({ group, kind });
  if (resource === undefined) throw new Error(`the server has no resource of kind ${kind}`);
  let found: Observed | undefined;
  await plane.until(`there is a ${kind}`, async () => {
    found = (await plane.client.list(resource, { namespace })).items.find(fits);
    return found !== undefined;
  });
  return ref(kind, namespace, found?.metadata.name ?? '');
}

export const isWorker = (object: Observed): boolean =>
  !Object.hasOwn(object.metadata.labels ?? {}, 'cluster.x-k8s.io/control-plane');
export const isControlPlane = (object: Observed): boolean => !isWorker(object);
