import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import { fields, number } from '../../kinds/shared/fields.js';
import type { Registry, Store } from '../../contract/index.js';

/** Thrown if the expected number of pods cannot be computed. The message becomes the condition message of the budget. */
export class UncountablePods extends Error {}

/** Returns the total desired replicas of the controllers of these pods. */
export function expectedPods(
  dependencies: { readonly registry: Registry; readonly store: Store },
  pods: readonly Frozen<KubeObject>[],
): number {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const controller = controllerOf(dependencies, pod);
    if (controller === undefined)
      throw new UncountablePods(`found no controllers for pod ${JSON.stringify(pod.metadata.name)}`);
    const top = controller.kind === 'ReplicaSet' ? (controllerOf(dependencies, controller) ?? controller) : controller;
    const replicas = fields(top['spec'])['replicas'];
    if (replicas === undefined)
      throw new UncountablePods(
        `${top.kind} ${JSON.stringify(top.metadata.name)} does not specify its desired number of pods`,
      );
    scales.set(top.metadata.uid ?? '', number(replicas));
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

function controllerOf(
  dependencies: { readonly registry: Registry; readonly store: Store },
  object: Frozen<KubeObject>,
): Frozen<KubeObject> | undefined {
  const reference = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (reference === undefined) return undefined;
  const { group, version } = parseApiVersion(reference.apiVersion);
  const definition = dependencies.registry.endpointForKind(group, version, reference.kind)?.definition;
  if (definition === undefined) return undefined;
  const namespace = definition.namespaced ? (object.metadata.namespace ?? '') : '';
  const owner = dependencies.store.get({
    resource: definition.storageResource,
    namespace,
    name: reference.name,
  })?.object;
  return owner?.metadata.uid === reference.uid ? owner : undefined;
}
