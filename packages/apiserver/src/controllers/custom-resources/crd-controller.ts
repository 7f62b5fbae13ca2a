import { type Clock, type Logger, Scope } from '@slipway/base';
import {
  asJson,
  asObject,
  cloneJson,
  type CustomResourceDefinition,
  type CustomResourceDefinitionStatus,
  deepEqual,
  formatTime,
  isReason,
  type KubeObject,
} from '@slipway/kube';
import { cleanupFinalizer } from '../../kinds/index.js';
import { KeyedLoop } from '../shared/keyed-loop.js';
import { LoopbackClient, type ResourceRegistry } from '../../registry/index.js';
import type { Store } from '../../contract/index.js';
import { acceptNames } from '../../kinds/custom/accepted-names.js';
import { crdOf, crdStorageResource, isConditionTrue, withCondition } from '../../kinds/custom/crd.js';
import { type ConverterSource, customDefinition } from '../../kinds/custom/custom-definition.js';

export interface CrdControllerOptions {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly converters: ConverterSource;
}

/** Serves the resources of CRDs and maintains the conditions of the CRDs. */
export class CrdController {
  readonly #options: CrdControllerOptions;
  readonly #client: LoopbackClient;
  readonly #scope = new Scope();
  readonly #loop: KeyedLoop;
  /** CRDs as they were last served, by name, to detect whether a change of a CRD affects serving. */
  readonly #served = new Map<string, { readonly crd: CustomResourceDefinition; readonly plural: string }>();

  constructor(options: CrdControllerOptions) {
    this.#options = options;
    this.#client = new LoopbackClient(options.registry, 'kube-apiserver');
    this.#loop = this.#scope.add(
      new KeyedLoop({
        name: 'custom-resource-definitions',
        clock: options.clock,
        logger: options.logger,
        run: (name) => this.#reconcile(name),
      }),
    );
  }

  /** Serves established CRDs immediately, then reconciles all CRDs. */
  start(): void {
    const { store } = this.#options;
    for (const { object } of store.list({ resource: crdStorageResource })) {
      const crd = crdOf(object);
      if (isConditionTrue(crd, 'Established')) this.#serve(crd);
      this.#loop.add(crd.metadata.name ?? '');
    }
    this.#scope.add(
      store.watch({ resource: crdStorageResource }, store.revision, (event) => this.#loop.add(event.current.key.name)),
    );
  }

  dispose(): Promise<void> {
    return this.#scope.dispose();
  }

  async #reconcile(name: string): Promise<void> {
    const stored = this.#options.store.get({ resource: crdStorageResource, namespace: '', name });
    if (stored === undefined) {
      this.#withdraw(name);
      return;
    }
    const crd = crdOf(stored.object);
    if ((crd.metadata.deletionTimestamp ?? '') !== '') await this.#finalise(crd);
    else await this.#establish(crd);
  }

  async #establish(crd: CustomResourceDefinition): Promise<void> {
    const now = formatTime(this.#options.clock.now());
    const { accepted, condition } = acceptNames(crd, this.#others());
    const established = condition.status === 'True' || isConditionTrue(crd, 'Established');
    let conditions = withCondition(crd.status?.conditions ?? [], condition, now);
    const status: CustomResourceDefinitionStatus = { ...crd.status, acceptedNames: accepted };
    // Serve the endpoint before setting Established: clients create objects within milliseconds of the condition.
    if (established) this.#serve({ ...crd, status: { ...crd.status, acceptedNames: accepted } });
    conditions = withCondition(conditions, establishedCondition(established), now);
    status.conditions = conditions;
    await this.#writeStatus(crd, status);
  }

  #others(): readonly CustomResourceDefinition[] {
    return this.#options.store.list({ resource: crdStorageResource }).map((stored) => crdOf(stored.object));
  }

  /** Deletes the instances, waits for their finalizers, then removes the finalizer of the CRD. */
  async #finalise(crd: CustomResourceDefinition): Promise<void> {
    if (crd.metadata.finalizers?.includes(cleanupFinalizer) !== true) return;
    this.#serve(crd);
    const now = formatTime(this.#options.clock.now());
    const remaining = await this.#deleteInstances(crd);
    const conditions = withCondition(crd.status?.conditions ?? [], terminatingCondition(remaining), now);
    const current = await this.#writeStatus(crd, { ...crd.status, conditions });
    if (remaining > 0 || current === undefined) return;
    const finalizers = (current.metadata.finalizers ?? []).filter((one) => one !== cleanupFinalizer);
    const next = thaw(current);
    await this.#client.update({ ...next, metadata: { ...next.metadata, finalizers } });
    this.#withdraw(crd.metadata.name ?? '');
  }

  async #deleteInstances(crd: CustomResourceDefinition): Promise<number> {
    const { group, names } = crd.spec;
    const version = crd.spec.versions.find((one) => one.served)?.name;
    const resource = `${group}/${names.plural}`;
    const { store } = this.#options;
    if (version !== undefined && isConditionTrue(crd, 'Established')) {
      for (const { key, object } of store.list({ resource })) {
        if ((object.metadata.deletionTimestamp ?? '') !== '') continue;
        await this.#client.delete({ group, version, resource: names.plural }, key.namespace, key.name);
      }
    }
    const remaining = store.count(resource);
    if (remaining > 0) this.#wakeWhenGone(crd.metadata.name ?? '', resource);
    return remaining;
  }

  #wakeWhenGone(name: string, resource: string): void {
    const { store } = this.#options;
    const watch = store.watch({ resource }, store.revision, (event) => {
      if (event.type !== 'DELETED') return;
      watch.dispose();
      this.#loop.add(name);
    });
    this.#scope.add(watch);
  }

  async #writeStatus(
    crd: CustomResourceDefinition,
    status: CustomResourceDefinitionStatus,
  ): Promise<CustomResourceDefinition | undefined> {
    if (deepEqual(status, crd.status)) return crd;
    const { name, resourceVersion } = crd.metadata;
    const next = thaw(crd);
    next['status'] = cloneJson(status);
    next.metadata.resourceVersion = resourceVersion ?? '';
    try {
      return crdOf(await this.#client.update(next, 'status'));
    } catch (error) {
      if (!isReason(error, 'Conflict') && !isReason(error, 'NotFound')) throw error;
      this.#loop.add(name ?? '');
      return undefined;
    }
  }

  #serve(crd: CustomResourceDefinition): void {
    const name = crd.metadata.name ?? '';
    const before = this.#served.get(name)?.crd;
    if (before !== undefined && sameService(before, crd)) return;
    const definition = customDefinition(crd, this.#options.converters);
    this.#served.set(name, { crd, plural: definition.plural });
    this.#options.registry.install(definition);
  }

  #withdraw(name: string): void {
    const served = this.#served.get(name);
    if (served === undefined) return;
    this.#served.delete(name);
    this.#options.registry.remove(served.crd.spec.group, served.plural);
  }
}

function thaw(crd: CustomResourceDefinition): KubeObject {
  return asObject(cloneJson(asJson(crd as unknown as KubeObject)));
}

function sameService(before: CustomResourceDefinition, after: CustomResourceDefinition): boolean {
  const terminating = (crd: CustomResourceDefinition): boolean => (crd.metadata.deletionTimestamp ?? '') !== '';
  return (
    terminating(before) === terminating(after) &&
    deepEqual(before.spec, after.spec) &&
    deepEqual(before.status?.acceptedNames, after.status?.acceptedNames)
  );
}

function establishedCondition(established: boolean): {
  type: string;
  status: 'True' | 'False';
  reason: string;
  message: string;
} {
  return established
    ? {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      }
    : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

function terminatingCondition(remaining: number): {
  type: string;
  status: 'True' | 'False';
  reason: string;
  message: string;
} {
  return remaining > 0
    ? {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionInProgress',
        message: 'CustomResource deletion is in progress',
      }
    : { type: 'Terminating', status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' };
}
