import type { ConditionSeverity, ConditionStatus, NewCondition, V1beta1Condition } from '@slipway/runtime';

/** A condition in the old style before it is set. */
export type NewV1beta1Condition = Omit<V1beta1Condition, 'lastTransitionTime'>;

/** Conditions to set, in both styles; times are the setter's. */
export interface ConditionsToSet {
  readonly conditions: readonly NewCondition[];
  readonly v1beta1: readonly NewV1beta1Condition[];
}

/** What was found of one thing; the old style has words of its own, and says nothing of some findings. */
export interface Finding {
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  readonly v1beta1?: {
    readonly status: ConditionStatus;
    readonly reason?: string;
    readonly severity?: ConditionSeverity;
    readonly message?: string;
  };
}

/** Collects findings about one object; a later finding of the same type replaces an earlier one. */
export class FindingBook {
  readonly #conditions = new Map<string, NewCondition>();
  readonly #v1beta1 = new Map<string, NewV1beta1Condition>();

  note(type: string, { status, reason, message, v1beta1 }: Finding): void {
    this.#conditions.set(type, { type, status, reason, message });
    if (v1beta1 !== undefined) this.#v1beta1.set(type, { type, ...v1beta1 });
  }

  noteV1beta1(condition: NewV1beta1Condition): void {
    this.#v1beta1.set(condition.type, condition);
  }

  condition(type: string): NewCondition | undefined {
    return this.#conditions.get(type);
  }

  v1beta1Condition(type: string): NewV1beta1Condition | undefined {
    return this.#v1beta1.get(type);
  }

  toSet(): ConditionsToSet {
    return { conditions: [...this.#conditions.values()], v1beta1: [...this.#v1beta1.values()] };
  }
}

/** Books by name of the machine, in the order of names: messages do not depend on the order of a list. */
export type MachineBooks = ReadonlyMap<string, FindingBook>;
