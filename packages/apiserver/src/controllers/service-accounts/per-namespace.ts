import type { Disposable } from '@slipway/base';
import { deepEqual, type Frozen, isReason, type KubeObject } from '@slipway/kube';
import type { LoopbackClient, ResourceRef } from '../../registry/index.js';
import {
  type ControllerDependencies,
  coreResources,
  createController,
  follow,
  isTerminating,
  storageOf,
} from '../shared/index.js';

/** An object that every namespace has. */
export interface NamespaceObject {
  readonly resource: ResourceRef;
  readonly name: string;
  desired(namespace: string): KubeObject;
  /** Returns the corrected object, or undefined if the existing one is up to date. */
  repaired?(present: Frozen<KubeObject>): KubeObject | undefined;
}

const concurrency = 10;

/** Maintains the object in every namespace, and restores it when it is deleted or changed. */
export function startNamespaceObject(
  dependencies: ControllerDependencies,
  loopName: string,
  object: NamespaceObject,
): Disposable {
  const { store } = dependencies;
  const resource = storageOf(object.resource);
  const { scope, loop } = createController(
    dependencies,
    loopName,
    async (namespace, client) => {
      const home = store.get({ resource: storageOf(coreResources.namespaces), namespace: '', name: namespace });
      if (home === undefined || isTerminating(home.object)) return;
      await ensure(client, object, namespace, store.get({ resource, namespace, name: object.name })?.object);
    },
    concurrency,
  );
  scope.add(follow(store, storageOf(coreResources.namespaces), ({ key, gone }) => void (gone || loop.add(key.name))));
  scope.add(
    store.watch({ resource }, store.revision, ({ current }) => {
      if (current.key.name === object.name) loop.add(current.key.namespace);
    }),
  );
  return scope;
}

async function ensure(
  client: LoopbackClient,
  object: NamespaceObject,
  namespace: string,
  present: Frozen<KubeObject> | undefined,
): Promise<void> {
  if (present === undefined) {
    try {
      await client.create(object.desired(namespace));
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
    return;
  }
  const repaired = isTerminating(present) ? undefined : object.repaired?.(present);
  if (repaired !== undefined && !deepEqual(repaired, present)) await client.update(repaired);
}
