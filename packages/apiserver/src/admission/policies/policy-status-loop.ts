import { type Clock, type Disposable, type Logger, Scope } from '@slipway/base';
import { asJson, asObject, cloneJson, deepEqual, fieldsOf } from '@slipway/kube';
import { KeyedLoop, type LoopbackClient } from '../../loops/index.js';
import type { Store } from '../../storage/index.js';
import type { DefinitionSource, Equivalents } from '../matching/equivalents.js';
import { typeCheck } from './type-check.js';

export interface PolicyStatusOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly client: LoopbackClient;
  readonly equivalents: Equivalents;
  readonly definitions: DefinitionSource;
}

const policies = 'admissionregistration.k8s.io/validatingadmissionpolicies';

/** Says in the status of every validating policy that it was seen, and what its expressions get wrong. */
export class PolicyStatusLoop implements Disposable {
  readonly #options: PolicyStatusOptions;
  readonly #scope = new Scope();
  readonly #loop: KeyedLoop;

  constructor(options: PolicyStatusOptions) {
    this.#options = options;
    this.#loop = this.#scope.add(
      new KeyedLoop({
        name: 'validating-admission-policy-status',
        clock: options.clock,
        logger: options.logger,
        run: (name) => this.#reconcile(name),
      }),
    );
  }

  start(): void {
    const { store } = this.#options;
    for (const { key } of store.list({ resource: policies })) this.#loop.add(key.name);
    this.#scope.add(
      store.watch({ resource: policies }, store.revision, (event) => this.#loop.add(event.current.key.name)),
    );
  }

  dispose(): Promise<void> {
    return this.#scope.dispose();
  }

  async #reconcile(name: string): Promise<void> {
    const { store, client, equivalents, definitions } = this.#options;
    const policy = store.get({ resource: policies, namespace: '', name })?.object;
    if (policy === undefined || fieldsOf(policy['status'])['observedGeneration'] === policy.metadata.generation) return;
    const expressionWarnings = typeCheck(policy, equivalents, definitions);
    const status = {
      ...fieldsOf(policy['status']),
      observedGeneration: policy.metadata.generation ?? 1,
      typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
    };
    if (deepEqual(status, policy['status'])) return;
    const next = asObject(cloneJson(asJson(policy)));
    next['status'] = status;
    await client.update(next, 'status');
  }
}
