import type { Plan, PlanInput } from '@slipway/insight';
import type { KubeObject } from '@slipway/kube';

/** A request to the planning thread. Plain data, because it is copied between threads. */
export type PlanTask =
  | { readonly what: 'read'; readonly text: string }
  | {
      readonly what: 'plan';
      readonly input: PlanInput;
      readonly nowMs: number;
      readonly timeoutMs: number;
    };

export interface PlanAnswers {
  readonly read: readonly KubeObject[];
  readonly plan: Plan;
}

/** The result of a task, or its error as plain data: errors lose their class between threads. */
export type PlanAnswer =
  | { readonly value: PlanAnswers[keyof PlanAnswers] }
  | { readonly refused: { readonly status: number; readonly message: string; readonly remedy: string } }
  | { readonly failed: string };
