/**
 * A node of Go's text/template without named templates: actions, conditions, `with`, `range`, variables, comments and trimming.
 */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipeline: Pipeline }
  | { readonly kind: 'break' | 'continue' }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly pipeline: Pipeline;
      readonly then: readonly Node[];
      readonly otherwise: readonly Node[];
    };

export interface Pipeline {
  /** Variables that receive the value: one, or two in a range. */
  readonly variables: readonly string[];
  /** Whether `:=` declares the variables. False for `=`, which assigns them. */
  readonly declares: boolean;
  /** Commands joined by `|`. Each gets the result of the previous one as its last argument. */
  readonly commands: readonly (readonly Operand[])[];
}

export type Operand =
  | { readonly kind: 'field'; readonly path: readonly string[] }
  | { readonly kind: 'variable'; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: 'literal'; readonly value: string | number | bigint | boolean | null }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'group'; readonly pipeline: Pipeline; readonly path: readonly string[] };
