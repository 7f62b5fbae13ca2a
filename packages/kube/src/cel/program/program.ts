import { type CheckedExpression, check, type Environment } from '../checker/index.js';
import { CompileError } from '../syntax/index.js';
import type { CelType } from '../types/index.js';
import type { Value } from '../values/index.js';
import { Failure, OutOfCost, resetWork } from '../values/index.js';
import type { Plan } from './attribute.js';
import { type Bindings, Frame } from './frame.js';
import { plan } from './planner.js';
import { PlanError } from './plans.js';

/** The cost limit of one evaluation, independent of the caller's budget. */
export const CALL_COST_MAX = 1_000_000;

export interface Outcome {
  /** The result. A Failure if the evaluation failed. */
  readonly value: Value;
  readonly cost: number;
  /** Whether the cost limit stopped the evaluation. If so, `value` is a Failure with upstream's message. */
  readonly stopped: boolean;
}

/** A compiled expression. It is stateless and can be evaluated any number of times. */
export class Program {
  constructor(
    readonly checked: CheckedExpression,
    private readonly root: Plan,
  ) {}

  get resultType(): CelType {
    return this.checked.resultType;
  }

  usesVariable(name: string): boolean {
    return this.checked.variables.has(name);
  }

  run(bindings: Bindings, costMax: number = CALL_COST_MAX): Outcome {
    const frame = new Frame(bindings, costMax);
    resetWork();
    try {
      return { value: this.root.run(frame), cost: frame.cost, stopped: false };
    } catch (error) {
      if (error instanceof OutOfCost) return { value: new Failure(error.message), cost: frame.cost, stopped: true };
      // A string or list exceeded a limit of V8.
      if (error instanceof RangeError)
        return { value: new Failure(`value too large: ${error.message}`), cost: frame.cost, stopped: false };
      throw error;
    }
  }
}

/** Why an expression did not compile. Upstream has different messages for the two stages. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
  constructor(
    readonly stage: 'compilation' | 'instantiation',
    message: string,
  ) {
    super(message);
  }
}

export function compileProgram(source: string, env: Environment): Program {
  try {
    const checked = check(source, env);
    return new Program(checked, plan(checked));
  } catch (error) {
    if (error instanceof CompileError) throw new ProgramError('compilation', error.message);
    if (error instanceof PlanError) throw new ProgramError('instantiation', error.message);
    throw error;
  }
}
