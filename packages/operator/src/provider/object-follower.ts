import { labels } from '@slipway/cluster-api';
import type { Disposable } from '@slipway/base';
import { componentResources } from '@slipway/clusterctl';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  configMaps,
  type ControllerContext,
  customResourceDefinitions,
  InformerFactory,
  secrets,
} from '@slipway/runtime';

/** Listener for changes of referenced objects and components. Objects contain only metadata. */
export interface FollowListener {
  /** A Secret or ConfigMap was created, changed or deleted. */
  changed(kind: 'Secret' | 'ConfigMap', object: Frozen<KubeObject>): void;
  /** A component of the provider with this label was changed or deleted. */
  broken(label: string, object: Frozen<KubeObject>): void;
}

type FollowDependencies = Pick<ControllerContext, 'client' | 'clock' | 'random' | 'logger' | 'namespace'>;

/**
 * Watches referenced objects and installed components, shared by the controllers of all kinds. Watches only metadata, so that
 * Secrets and CRDs are not kept in memory.
 */
export class ObjectFollower {
  readonly #listeners = new Set<FollowListener>();
  #factory: InformerFactory | undefined;

  follow(dependencies: FollowDependencies, listener: FollowListener): Disposable {
    this.#listeners.add(listener);
    this.#factory ??= this.#start(dependencies);
    return {
      dispose: async () => {
        this.#listeners.delete(listener);
        if (this.#listeners.size > 0) return;
        const factory = this.#factory;
        this.#factory = undefined;
        await factory?.dispose();
      },
    };
  }

  #start({ client, clock, random, logger, namespace }: FollowDependencies): InformerFactory {
    const factory = new InformerFactory({ client, clock, random, logger });
    const scope = namespace === '' ? {} : { namespace };
    for (const [kind, resource] of [
      ['ConfigMap', configMaps],
      ['Secret', secrets],
    ] as const) {
      const notify = (object: Frozen<KubeObject>): void => {
        for (const listener of this.#listeners) listener.changed(kind, object);
      };
      factory.metadataInformer(resource, scope).addHandler({ added: notify, updated: notify, deleted: notify });
    }
    for (const resource of [...componentResources, customResourceDefinitions]) {
      const options = { labelSelector: labels.provider, ...(resource.namespaced && scope) };
      factory.metadataInformer(resource, options).addHandler({
        updated: (object, previous) => {
          if (object.metadata.generation !== previous.metadata.generation) this.#notifyBroken(object);
        },
        deleted: (object) => this.#notifyBroken(object),
      });
    }
    return factory;
  }

  #notifyBroken(object: Frozen<KubeObject>): void {
    const label = object.metadata.labels?.[labels.provider];
    if (label !== undefined) for (const listener of this.#listeners) listener.broken(label, object);
  }
}
