import type { Value } from '../values/index.js';
import { OutOfCost } from '../values/index.js';

/** A value, or how to get it when an expression first asks. */
export type Binding = Value | (() => Value);
export type Bindings = ReadonlyMap<string, Binding>;

/** One run of one program. */
export class Frame {
  cost = 0;
  /** Variables of comprehensions, by the number the planner gave them. */
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

  /** The slot gets its value when it is first read. */
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
