import { type Clock, type Disposable, type Logger, Scope } from '@slipway/base';
import { asJson, asObject, cloneJson, deepEqual, fieldsOf } from '@slipway/kube';
import { type DefinitionSource, typeCheck } from '../../admission/index.js';
import type { Store } from '../../contract/index.js';
import type { LoopbackClient } from '../../registry/index.js';
import { KeyedLoop } from '../shared/keyed-loop.js';

export interface PolicyStatusOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly client: LoopbackClient;
  readonly definitions: DefinitionSource;
}

const policies = 'admissionregistration.k8s.io/validatingadmissionpolicies';

/** Writes the observed generation and the type-checking warnings to the status of each ValidatingAdmissionPolicy. */
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
    const { store, client, definitions } = this.#options;
    const policy = store.get({ resource: policies, namespace: '', name })?.object;
    if (policy === undefined || fieldsOf(policy['status'])['observedGeneration'] === policy.metadata.generation) return;
    const expressionWarnings = typeCheck(policy, definitions);
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
