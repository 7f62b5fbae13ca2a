import type { Plan, PlanInput } from '@slipway/insight';
import type { KubeObject } from '@slipway/kube';

/** What is asked of the thread that plans. All of it is plain data. */
export type PlanTask =
  | { readonly what: 'read'; readonly text: string }
  | {
      readonly what: 'plan';
      readonly input: PlanInput;
      readonly nowMs: number;
      readonly patienceMs: number;
    };

export interface PlanAnswers {
  readonly read: readonly KubeObject[];
  readonly plan: Plan;
}

/** The value, or why there is none: an error does not keep its class on the way between threads. */
export type PlanAnswer =
  | { readonly value: PlanAnswers[keyof PlanAnswers] }
  | { readonly refused: { readonly status: number; readonly message: string; readonly remedy: string } }
  | { readonly failed: string };
