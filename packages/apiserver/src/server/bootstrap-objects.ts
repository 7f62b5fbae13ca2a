import { asJson, asObject, cloneJson, isReason, type KubeObject } from '@slipway/kube';
import { bootstrapPolicy, type PolicyWriter, rbacGroup, reconcilePolicy } from '../auth/index.js';
import { systemPriorityClasses } from '../kinds/index.js';
import { systemNamespaces } from '../controllers/index.js';
import type { LoopbackClient } from '../registry/index.js';
import type { Store } from '../contract/index.js';

/** Writes the objects that exist in every cluster from the start: system namespaces, roles, priority classes. */
export async function writeBootstrapObjects(store: Store, client: LoopbackClient): Promise<void> {
  await Promise.all(systemNamespaces.map((name) => ensure(store, client, 'namespaces', namespace(name))));
  await Promise.all([
    reconcilePolicy(bootstrapPolicy(), policyWriter(store, client)),
    ...systemPriorityClasses().map((object) => ensure(store, client, 'scheduling.k8s.io/priorityclasses', object)),
  ]);
}

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

async function ensure(store: Store, client: LoopbackClient, resource: string, object: KubeObject): Promise<void> {
  const { namespace: place = '', name = '' } = object.metadata;
  if (store.get({ resource, namespace: place, name }) !== undefined) return;
  try {
    await client.create(object);
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}

function policyWriter(store: Store, client: LoopbackClient): PolicyWriter {
  const ref = (resource: string) => ({ group: rbacGroup, version: 'v1', resource });
  return {
    get: (resource, place, name) => store.get({ resource: `${rbacGroup}/${resource}`, namespace: place, name })?.object,
    async create(_resource, object) {
      await client.create(asObject(cloneJson(asJson(object))));
    },
    async update(_resource, object) {
      await client.update(asObject(cloneJson(asJson(object))));
    },
    async delete(resource, place, name) {
      await client.delete(ref(resource), place, name);
    },
  };
}
