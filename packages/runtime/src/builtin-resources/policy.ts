import { type BuiltinObject, type Condition, type LabelSelectorValue, namespacedResource } from './define.js';

export type PodDisruptionBudget = BuiltinObject<
  'policy/v1',
  'PodDisruptionBudget',
  {
    spec?: { minAvailable?: number | string; maxUnavailable?: number | string; selector?: LabelSelectorValue };
    status?: {
      observedGeneration?: number;
      disruptionsAllowed?: number;
      currentHealthy?: number;
      desiredHealthy?: number;
      expectedPods?: number;
      conditions?: Condition[];
    };
  }
>;
export const podDisruptionBudgets = namespacedResource<PodDisruptionBudget>(
  'policy',
  'v1',
  'PodDisruptionBudget',
  'poddisruptionbudgets',
);
