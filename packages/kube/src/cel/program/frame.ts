import type { Value } from '../values/index.js';
import { OutOfCost } from '../values/index.js';

/** A value, or a function that computes it on first use. */
export type Binding = Value | (() => Value);
export type Bindings = ReadonlyMap<string, Binding>;

/** The state of one evaluation. */
export class Frame {
  cost = 0;
  /** Variables of comprehensions, by the slot that the planner assigned. */
  readonly slots: (Value | undefined)[] = [];
  private readonly deferred: ({ run(frame: Frame): Value } | undefined)[] = [];
  private readonly computed = new Map<string, Value>();

  constructor(
    private readonly bindings: Bindings,
    private readonly costMax: number,
  ) {}

  charge(units: number): void {
    this.cost += units;
    if (this.cost > this.costMax) throw new OutOfCost();
  }

  read(slot: number): Value {
    const value = this.slots[slot];
    const pending = this.deferred[slot];
    if (pending === undefined || value !== undefined) return value ?? null;
    const computed = pending.run(this);
    this.slots[slot] = computed;
    return computed;
  }

  /** Sets a slot whose value is computed on first use. */
  defer(slot: number, plan: { run(frame: Frame): Value }): void {
    this.slots[slot] = undefined;
    this.deferred[slot] = plan;
  }

  variable(name: string): Value | undefined {
    const binding = this.bindings.get(name);
    if (typeof binding !== 'function') return binding;
    const known = this.computed.get(name);
    if (known !== undefined) return known;
    const value = binding();
    this.computed.set(name, value);
    return value;
  }
}
