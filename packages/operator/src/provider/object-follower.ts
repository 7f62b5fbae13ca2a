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

/** What somebody wants to know of. Objects have their metadata only. */
export interface FollowListener {
  /** A Secret or ConfigMap that came, changed or went. */
  changed(kind: 'Secret' | 'ConfigMap', object: Frozen<KubeObject>): void;
  /** A component of the provider with this label that was changed or taken away. */
  broken(label: string, object: Frozen<KubeObject>): void;
}

type FollowWorld = Pick<ControllerContext, 'client' | 'clock' | 'random' | 'logger' | 'namespace'>;

/**
 * Follows what providers refer to and what was installed for them, once for the controllers of all kinds. Only names and
 * labels: a copy of every Secret and every definition has no place in a controller.
 */
export class ObjectFollower {
  readonly #listeners = new Set<FollowListener>();
  #factory: InformerFactory | undefined;

  follow(world: FollowWorld, listener: FollowListener): Disposable {
    this.#listeners.add(listener);
    this.#factory ??= this.#start(world);
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

  #start({ client, clock, random, logger, namespace }: FollowWorld): InformerFactory {
    const factory = new InformerFactory({ client, clock, random, logger });
    const scope = namespace === '' ? {} : { namespace };
    for (const [kind, resource] of [
      ['ConfigMap', configMaps],
      ['Secret', secrets],
    ] as const) {
      const tell = (object: Frozen<KubeObject>): void => {
        for (const listener of this.#listeners) listener.changed(kind, object);
      };
      factory.metadataInformer(resource, scope).addHandler({ added: tell, updated: tell, deleted: tell });
    }
    for (const resource of [...componentResources, customResourceDefinitions]) {
      const options = { labelSelector: labels.provider, ...(resource.namespaced && scope) };
      factory.metadataInformer(resource, options).addHandler({
        updated: (object, previous) => {
          if (object.metadata.generation !== previous.metadata.generation) this.#tellBroken(object);
        },
        deleted: (object) => this.#tellBroken(object),
      });
    }
    return factory;
  }

  #tellBroken(object: Frozen<KubeObject>): void {
    const label = object.metadata.labels?.[labels.provider];
    if (label !== undefined) for (const listener of this.#listeners) listener.broken(label, object);
  }
}
