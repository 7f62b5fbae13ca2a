import { getKey } from '../json/set-key.js';
import type { JsonValue } from '../json/value.js';
import type { FilterOperator, JsonPathStep, Operand } from './json-path-step.js';
import { parseJsonPath } from './parse-json-path.js';

// Maximum number of visited values. Unions can repeat the same children and filters visit every item, so that a short path could
// otherwise keep the server busy for seconds. A path that exceeds the limit finds nothing.
const visitsMax = 100_000;

interface Work {
  left: number;
}

/** A JSONPath of a printer column or selectable field, compiled once and evaluated for every object. */
export class JsonPath {
  readonly #steps: readonly JsonPathStep[];
  /** The field names of a path of plain fields (`.spec.replicas`), undefined for any other path. */
  readonly fields: readonly string[] | undefined;

  constructor(
    steps: readonly JsonPathStep[],
    readonly text: string,
  ) {
    this.#steps = steps;
    const names = steps.flatMap((step) => (step.kind === 'field' ? [step.name] : []));
    this.fields = names.length === steps.length ? names : undefined;
  }

  /** Returns all matching values in document order. Missing fields are omitted. */
  evaluate(root: unknown): JsonValue[] {
    if (this.fields === undefined) return evaluateSteps(root as JsonValue, this.#steps, { left: visitsMax });
    const value = this.first(root);
    return value === undefined ? [] : [value];
  }

  first(root: unknown): JsonValue | undefined {
    if (this.fields === undefined) return evaluateSteps(root as JsonValue, this.#steps, { left: visitsMax })[0];
    let value = root as JsonValue | undefined;
    for (const field of this.fields) value = childOf(value, field);
    return value;
  }
}

/** Compiles a path. Throws JsonPathError. */
export function compileJsonPath(text: string): JsonPath {
  return new JsonPath(parseJsonPath(text), text);
}

function evaluateSteps(root: JsonValue, steps: readonly JsonPathStep[], work: Work): JsonValue[] {
  let values: JsonValue[] = root === undefined ? [] : [root];
  for (const step of steps) {
    const found: JsonValue[] = [];
    for (const value of values) {
      for (const child of applyStep(value, step, work)) found.push(child);
      if (work.left < 0) return [];
    }
    values = found;
  }
  return values;
}

function applyStep(value: JsonValue, step: JsonPathStep, work: Work): JsonValue[] {
  work.left -= 1;
  switch (step.kind) {
    case 'field':
      return present(childOf(value, step.name));
    case 'index':
      return isList(value) ? present(value.at(step.index)) : [];
    case 'slice':
      return isList(value) ? slice(value, step) : [];
    case 'all':
      return childrenOf(value, work);
    case 'union':
      return step.steps.flatMap((part) => (work.left < 0 ? [] : applyStep(value, part, work)));
    case 'filter':
      return isList(value) ? value.filter((item) => work.left >= 0 && passes(item, step, work)) : [];
  }
}

function slice(list: readonly JsonValue[], { start, end, step }: JsonPathStep & { kind: 'slice' }): JsonValue[] {
  return list.slice(start ?? 0, end ?? list.length).filter((_item, index) => index % step === 0);
}

function childOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || isList(value)) return undefined;
  return getKey(value, name);
}

function childrenOf(value: JsonValue, work: Work): JsonValue[] {
  if (typeof value !== 'object' || value === null) return [];
  work.left -= isList(value) ? value.length : 1;
  return Object.values(value as { [key: string]: JsonValue }).filter((child) => child !== undefined);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function present(value: JsonValue | undefined): JsonValue[] {
  return value === undefined ? [] : [value];
}

function passes(item: JsonValue, filter: JsonPathStep & { kind: 'filter' }, work: Work): boolean {
  work.left -= 1;
  const left = operandValue(item, filter.left, work);
  if (left === undefined) return false;
  if (filter.operator === 'exists') return true;
  const right = operandValue(item, filter.right, work);
  return right !== undefined && compare(left, right, filter.operator);
}

function operandValue(item: JsonValue, operand: Operand, work: Work): JsonValue | undefined {
  return operand.kind === 'literal' ? operand.value : evaluateSteps(item, operand.steps, work)[0];
}

/** Compares two values for a filter. Like upstream, values of different types are neither equal nor different. */
function compare(left: JsonValue, right: JsonValue, operator: FilterOperator): boolean {
  const order = orderOf(left, right);
  if (order === undefined) return false;
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case 'exists':
      return true;
  }
}

function orderOf(left: JsonValue, right: JsonValue): number | undefined {
  if (left === null || right === null) return left === right ? 0 : undefined;
  if (typeof left === 'object' || kindOf(left) !== kindOf(right)) return undefined;
  return left < right ? -1 : Number(left > right);
}

function kindOf(value: JsonValue): string {
  return typeof value === 'bigint' ? 'number' : typeof value;
}
