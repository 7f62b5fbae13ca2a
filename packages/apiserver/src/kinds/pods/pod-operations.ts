import type { Frozen, KubeObject } from '@slipway/kube';
import type { DeleteOptions } from '../../contract/index.js';

/** Access to pods and disruption budgets for binding and eviction. */
export interface PodOperations {
  /** Returns the stored pod. Throws NotFound. */
  getPod(namespace: string, name: string): Frozen<KubeObject>;
  /** Changes the stored pod without update validation, retrying on conflict. `change` may throw. */
  changePod(namespace: string, name: string, change: (pod: KubeObject) => void, dryRun: boolean): Promise<void>;
  deletePod(namespace: string, name: string, options: DeleteOptions): Promise<void>;
  budgets(namespace: string): readonly Frozen<KubeObject>[];
  /** Changes the status of a PodDisruptionBudget, retrying on conflict. `change` may throw. */
  changeBudget(namespace: string, name: string, change: (budget: KubeObject) => void, dryRun: boolean): Promise<void>;
}
