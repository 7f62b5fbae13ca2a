/** One step of a compiled path. It maps every value found so far to its children. */
export type JsonPathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly start?: number; readonly end?: number; readonly step: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'union'; readonly steps: readonly JsonPathStep[] }
  | { readonly kind: 'filter'; readonly left: Operand; readonly operator: FilterOperator; readonly right: Operand };

export type FilterOperator = 'exists' | '==' | '!=' | '<' | '<=' | '>' | '>=';

export type Operand =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'path'; readonly steps: readonly JsonPathStep[] };

export class JsonPathError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonPathError';
  }
}
