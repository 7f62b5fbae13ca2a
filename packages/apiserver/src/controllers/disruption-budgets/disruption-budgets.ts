import type { Disposable } from '@slipway/base';
import {
  deepEqual,
  type Frozen,
  type KubeObject,
  type LabelSelector,
  labelSelectorFromObject,
  noLabel,
  SelectorError,
} from '@slipway/kube';
import { fields } from '../../kinds/shared/fields.js';
import type { RunAgain } from '../shared/keyed-loop.js';
import {
  type ControllerDependencies,
  coreResources,
  createController,
  disruptionBudgets,
  follow,
  isTerminating,
  placeKey,
  splitPlaceKey,
  storageOf,
  thaw,
} from '../shared/index.js';
import { type BudgetStatus, budgetStatus, failedStatus } from './budget-status.js';
import { expectedPods, UncountablePods } from './expected-pods.js';

const budgets = storageOf(disruptionBudgets);
const podsResource = storageOf(coreResources.pods);

/** Maintains the status of PodDisruptionBudgets, which evictions check. */
export function startDisruptionBudgets(dependencies: ControllerDependencies): Disposable {
  const { store } = dependencies;
  const { scope, loop } = createController(
    dependencies,
    'disruption-budgets',
    async (place, client): Promise<RunAgain | void> => {
      const key = splitPlaceKey(place);
      const budget = store.get({ resource: budgets, ...key })?.object;
      if (budget === undefined || isTerminating(budget)) return;
      const { status, againMs } = compute(dependencies, budget, key.namespace);
      if (!deepEqual(status, budget['status'])) {
        const next = thaw(budget);
        next['status'] = status;
        await client.update(next, 'status');
      }
      if (againMs !== undefined) return { afterMs: againMs };
    },
  );
  scope.add(follow(store, budgets, ({ key, gone }) => void (gone || loop.add(placeKey(key)))));
  scope.add(
    store.watch({ resource: podsResource }, store.revision, ({ current, previous }) => {
      for (const { key, object } of store.list({ resource: budgets, namespace: current.key.namespace })) {
        const selector = selectorOf(object);
        const labels = [current.object.metadata.labels, previous?.object.metadata.labels];
        if (labels.some((one) => selector.matches(one))) loop.add(placeKey(key));
      }
    }),
  );
  return scope;
}

function compute(dependencies: ControllerDependencies, budget: Frozen<KubeObject>, namespace: string): BudgetStatus {
  const selector = selectorOf(budget);
  const pods = dependencies.store
    .list({ resource: podsResource, namespace })
    .map(({ object }) => object)
    .filter((pod) => selector.matches(pod.metadata.labels));
  const now = dependencies.clock.now();
  try {
    return budgetStatus(budget, pods, () => expectedPods(dependencies, pods), now);
  } catch (error) {
    if (!(error instanceof UncountablePods)) throw error;
    return { status: failedStatus(budget, error.message, now), againMs: undefined };
  }
}

function selectorOf(budget: Frozen<KubeObject>): LabelSelector {
  const { selector } = fields(budget['spec']);
  try {
    return selector === undefined ? noLabel : labelSelectorFromObject(fields(selector));
  } catch (error) {
    if (error instanceof SelectorError) return noLabel;
    throw error;
  }
}
