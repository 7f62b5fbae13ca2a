import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import type { DeleteOptions, ObjectKey, Resource } from '../client/index.js';
import type { Outcome } from './outcome.js';

interface ChangeBase {
  readonly resource: Resource;
  /** Why, in one upper camel word: it is logged, told in events and shown by a dry run. */
  readonly reason: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
  /** Also tell it as an event on this object. */
  readonly eventFor?: Frozen<KubeObject>;
}

export type Change =
  | (ChangeBase & { readonly verb: 'create'; readonly object: KubeObject })
  | (ChangeBase & {
      readonly verb: 'patch';
      readonly before: Frozen<KubeObject>;
      readonly after: Frozen<KubeObject>;
      readonly ownedConditions?: readonly string[] | 'all';
    })
  | (ChangeBase & {
      readonly verb: 'apply';
      readonly key: ObjectKey;
      readonly configuration: JsonObject;
      readonly fieldManager: string;
      readonly subresource?: string;
    })
  | (ChangeBase & { readonly verb: 'delete'; readonly key: ObjectKey; readonly options?: DeleteOptions })
  | (ChangeBase & {
      readonly verb: 'call';
      readonly key: ObjectKey;
      /** What is done outside the API server, in a few words. */
      readonly action: string;
      readonly run: (signal: AbortSignal | undefined) => Promise<void>;
    });

/** What a reconcile wants done, in order, and how it ends when all of it worked. Computed without I/O. */
export interface Plan {
  readonly changes: readonly Change[];
  readonly outcome: Outcome;
}

/** Builds a plan phase by phase. */
export class PlanBuilder {
  readonly #changes: Change[] = [];

  create<T extends KubeObject>(resource: Resource<T>, object: T, why: Why): this {
    return this.#push({ verb: 'create', resource: resource, object, ...why });
  }

  patch<T extends KubeObject>(
    resource: Resource<T>,
    before: Frozen<NoInfer<T>>,
    after: Frozen<NoInfer<T>>,
    why: Why & { readonly ownedConditions?: readonly string[] | 'all' },
  ): this {
    if (before === after) return this;
    return this.#push({ verb: 'patch', resource: resource, before, after, ...why });
  }

  apply(
    resource: Resource,
    key: ObjectKey,
    configuration: JsonObject,
    why: Why & { readonly fieldManager: string },
  ): this {
    return this.#push({ verb: 'apply', resource, key, configuration, ...why });
  }

  delete(resource: Resource, key: ObjectKey, why: Why & { readonly options?: DeleteOptions }): this {
    return this.#push({ verb: 'delete', resource, key, ...why });
  }

  call(
    resource: Resource,
    key: ObjectKey,
    why: Why & { readonly action: string; readonly run: (signal: AbortSignal | undefined) => Promise<void> },
  ): this {
    return this.#push({ verb: 'call', resource, key, ...why });
  }

  end(outcome: Outcome): Plan {
    return { changes: [...this.#changes], outcome };
  }

  #push(change: Change): this {
    this.#changes.push(change);
    return this;
  }
}

type Why = Pick<ChangeBase, 'reason' | 'message' | 'eventFor'>;
