import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import { fields, number } from '../../kinds/shared/fields.js';
import type { Registry, Store } from '../../contract/index.js';

/** Why a budget cannot be computed, in the words of its condition. */
export class UncountablePods extends Error {}

/** How many pods the controllers of these pods want, each controller counted once. */
export function expectedPods(
  world: { readonly registry: Registry; readonly store: Store },
  pods: readonly Frozen<KubeObject>[],
): number {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const controller = controllerOf(world, pod);
    if (controller === undefined)
      throw new UncountablePods(`found no controllers for pod ${JSON.stringify(pod.metadata.name)}`);
    const top = controller.kind === 'ReplicaSet' ? (controllerOf(world, controller) ?? controller) : controller;
    const replicas = fields(top['spec'])['replicas'];
    if (replicas === undefined)
      throw new UncountablePods(`${top.kind} ${JSON.stringify(top.metadata.name)} does not say how many pods it wants`);
    scales.set(top.metadata.uid ?? '', number(replicas));
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

function controllerOf(
  world: { readonly registry: Registry; readonly store: Store },
  object: Frozen<KubeObject>,
): Frozen<KubeObject> | undefined {
  const reference = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (reference === undefined) return undefined;
  const { group, version } = parseApiVersion(reference.apiVersion);
  const definition = world.registry.endpointForKind(group, version, reference.kind)?.definition;
  if (definition === undefined) return undefined;
  const namespace = definition.namespaced ? (object.metadata.namespace ?? '') : '';
  const owner = world.store.get({ resource: definition.storageResource, namespace, name: reference.name })?.object;
  return owner?.metadata.uid === reference.uid ? owner : undefined;
}
