import type { FunctionDeclaration, Overload } from '../library/index.js';
import type { Expression } from '../syntax/index.js';
import type { CelType } from '../types/index.js';

/** A name that the checker has resolved: a variable, or a type used as a value. */
export interface Reference {
  readonly name: string;
  readonly constant?: CelType;
}

export interface ResolvedCall {
  readonly declaration: FunctionDeclaration;
  /** All overloads that fit what is known of the arguments; with dyn arguments there may be several. */
  readonly overloads: readonly Overload[];
  /** False when `a.b(c)` turned out to be the function `a.b`. */
  readonly hasTarget: boolean;
}

/** An expression whose every node has a type. Keyed by node id. */
export interface CheckedExpression {
  readonly source: string;
  readonly root: Expression;
  readonly types: ReadonlyMap<number, CelType>;
  readonly references: ReadonlyMap<number, Reference>;
  readonly calls: ReadonlyMap<number, ResolvedCall>;
  readonly resultType: CelType;
  /** Variables that occur; a rule that names `oldSelf` is a transition rule. */
  readonly variables: ReadonlySet<string>;
}
