import type { FunctionDeclaration, Overload } from '../library/index.js';
import type { Expression } from '../syntax/index.js';
import type { CelType } from '../types/index.js';

/** A name that the checker resolved: a variable, or a type used as a value. */
export interface Reference {
  readonly name: string;
  readonly constant?: CelType;
}

export interface ResolvedCall {
  readonly declaration: FunctionDeclaration;
  /** All overloads that match the known argument types. With dyn arguments there may be several. */
  readonly overloads: readonly Overload[];
  /** False if `a.b(c)` is a call of the function `a.b`. */
  readonly hasTarget: boolean;
}

/** A type-checked expression. The maps are keyed by node id. */
export interface CheckedExpression {
  readonly source: string;
  readonly root: Expression;
  readonly types: ReadonlyMap<number, CelType>;
  readonly references: ReadonlyMap<number, Reference>;
  readonly calls: ReadonlyMap<number, ResolvedCall>;
  readonly resultType: CelType;
  /** The variables that the expression uses. A rule that uses `oldSelf` is a transition rule. */
  readonly variables: ReadonlySet<string>;
}
