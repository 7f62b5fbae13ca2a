import type { Disposable } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { AdmissionRequest } from '../../contract/index.js';
import type { MatchResources, MatchSources } from '../matching/match-resources.js';
import { RuleIndex } from '../matching/rule-index.js';
import { isExempt } from '../refuse.js';
import { compileOnce, inOrderOfName, StoredCollection } from '../stored-collection.js';
import { type Binding, bindingOf, type Policy } from './policy.js';

/** A policy with its bindings. */
export interface BoundPolicy<P extends Policy> {
  readonly policy: P;
  readonly match: MatchResources;
  readonly bindings: readonly Binding[];
}

/** Lists the stored policies of one kind with their bindings. A policy without a binding has no effect. */
export class PolicySource<P extends Policy> implements Disposable {
  readonly #index: StoredCollection<RuleIndex<BoundPolicy<P>>>;

  constructor(
    sources: MatchSources,
    resources: { readonly policies: string; readonly bindings: string },
    compile: (object: Frozen<KubeObject>) => P,
  ) {
    const { store, equivalents } = sources;
    this.#index = new StoredCollection(store, [resources.policies, resources.bindings], () => {
      const bindings = inOrderOfName(store, resources.bindings).map((object) => compileOnce(object, bindingOf));
      const byPolicy = groupByPolicy(bindings);
      const bound = inOrderOfName(store, resources.policies).flatMap((object) => {
        const own = byPolicy.get(object.metadata.name ?? '');
        if (own === undefined) return [];
        const policy = compileOnce(object, compile);
        return [{ policy, match: policy.match, bindings: own }];
      });
      return new RuleIndex(bound, equivalents);
    });
  }

  candidates(request: AdmissionRequest): readonly BoundPolicy<P>[] {
    return isExempt(request) ? [] : this.#index.current.candidates(request);
  }

  dispose(): void {
    this.#index.dispose();
  }
}

function groupByPolicy(bindings: readonly Binding[]): ReadonlyMap<string, readonly Binding[]> {
  const groups = new Map<string, Binding[]>();
  for (const binding of bindings) {
    const group = groups.get(binding.policyName);
    if (group === undefined) groups.set(binding.policyName, [binding]);
    else group.push(binding);
  }
  return groups;
}
