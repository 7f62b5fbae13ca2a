import type { Disposable } from '@slipway/base';
import { formatTime, type Frozen, isReason, type KubeObject } from '@slipway/kube';
import { fields, texts } from '../../kinds/shared/fields.js';
import type { LoopbackClient } from '../../registry/index.js';
import type { RunAgain } from '../shared/keyed-loop.js';
import {
  type Controller,
  type ControllerDependencies,
  coreResources,
  createController,
  follow,
  isTerminating,
  storageOf,
  thaw,
} from '../shared/index.js';
import { deletionConditions, type Remaining } from './deletion-conditions.js';
import { type Content, deleteContent } from './namespace-content.js';

export const systemNamespaces: readonly string[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

const kubernetesFinalizer = 'kubernetes';
const namespaces = storageOf(coreResources.namespaces);
const concurrency = 5;
/** Retry interval for problems that end without a watch event, such as a webhook that denied a deletion. */
const retryMs = 15_000;

/** Maintains the system namespaces, and deletes the content of namespaces that are being deleted. */
export function startNamespaceController(dependencies: ControllerDependencies): Disposable {
  const content = new ContentWatches(dependencies);
  const controller: Controller = createController(
    dependencies,
    'namespaces',
    async (name, client): Promise<RunAgain | void> => {
      const stored = dependencies.store.get({ resource: namespaces, namespace: '', name });
      if (stored === undefined) {
        content.forget(name);
        if (systemNamespaces.includes(name)) await createNamespace(client, name);
        return;
      }
      if (!isTerminating(stored.object) || !finalizersOf(stored.object).includes(kubernetesFinalizer)) return;
      return end(dependencies, client, stored.object, (remaining) =>
        content.await(name, remaining, () => controller.loop.add(name)),
      );
    },
    concurrency,
  );
  const { scope, loop } = controller;
  scope.add(content);
  for (const name of systemNamespaces) loop.add(name);
  scope.add(follow(dependencies.store, namespaces, ({ key }) => loop.add(key.name)));
  // Check waiting namespaces when the served resources change: a resource that is no longer served does not block deletion, and a
  // new one may already have content.
  scope.add(dependencies.registry.onChange(() => content.waiting().forEach((name) => loop.add(name))));
  return scope;
}

async function createNamespace(client: LoopbackClient, name: string): Promise<void> {
  try {
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}

async function end(
  dependencies: ControllerDependencies,
  client: LoopbackClient,
  namespace: Frozen<KubeObject>,
  wait: (remaining: Content) => void,
): Promise<RunAgain | void> {
  const { name = '' } = namespace.metadata;
  const remaining = await deleteContent({ ...dependencies, client }, name);
  const current = await writeConditions(dependencies, client, namespace, remaining);
  if (remaining.collections.length === 0 && remaining.failures.length === 0) {
    await finalize(client, current);
    return;
  }
  wait(remaining);
  return { afterMs: retryMs };
}

async function writeConditions(
  dependencies: ControllerDependencies,
  client: LoopbackClient,
  namespace: Frozen<KubeObject>,
  remaining: Remaining,
): Promise<Frozen<KubeObject>> {
  const status = fields(namespace.status);
  const conditions = deletionConditions(status.conditions, remaining, formatTime(dependencies.clock.now()));
  if (conditions === undefined) return namespace;
  const next = thaw(namespace);
  next.status = { ...status, phase: 'Terminating', conditions };
  return client.update(next, 'status');
}

async function finalize(client: LoopbackClient, namespace: Frozen<KubeObject>): Promise<void> {
  const next = thaw(namespace);
  const finalizers = finalizersOf(namespace).filter((name) => name !== kubernetesFinalizer);
  next.spec = { ...fields(next.spec), finalizers };
  await client.update(next, 'finalize');
}

function finalizersOf(namespace: Frozen<KubeObject>): readonly string[] {
  return texts(fields(namespace.spec).finalizers);
}

/** Watches the remaining content of namespaces that are being deleted, at no cost to other namespaces. */
class ContentWatches implements Disposable {
  readonly #watches = new Map<string, Disposable[]>();

  constructor(private readonly dependencies: ControllerDependencies) {}

  await(namespace: string, { collections, revision }: Content, wake: () => void): void {
    this.forget(namespace);
    const { store } = this.dependencies;
    const once = (): void => {
      this.forget(namespace);
      this.#watches.set(namespace, []);
      wake();
    };
    this.#watches.set(
      namespace,
      collections.map((resource) => store.watch({ resource, namespace }, revision, once)),
    );
  }

  waiting(): string[] {
    return [...this.#watches.keys()];
  }

  forget(namespace: string): void {
    for (const watch of this.#watches.get(namespace) ?? []) void watch.dispose();
    this.#watches.delete(namespace);
  }

  dispose(): void {
    for (const namespace of this.waiting()) this.forget(namespace);
  }
}
