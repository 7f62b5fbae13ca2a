import type { FieldError } from '../../errors/index.js';
import type { JsonArray, JsonObject, JsonValue } from '../../json/index.js';
import { isJsonArray, jsonKind, jsonKindOf } from '../model/json-kind.js';
import { type Plan, planOf, planOfProperty } from '../model/plan.js';
import type { Schema } from '../schema.js';
import { checkNumber } from './check-number.js';
import { checkEnum, checkNull, checkString, checkType } from './check-scalar.js';
import { correlateItems, correlateKey, isUnchanged } from './correlate.js';
import { failBody, failPlain, failRequired, failTooMany } from './messages.js';
import { depthMax, Walker } from './walker.js';

export interface StructureOptions {
  /** The stored value. Errors of unchanged nodes are not reported. Absent on create. */
  readonly old?: JsonValue | undefined;
  /** The prefix of the field of each error. Messages remain relative to the value. */
  readonly path?: string;
}

/** Validates a value against the types, bounds and compositions of the schema. Returns all errors. */
export function validateStructure(schema: Schema, value: JsonValue, options: StructureOptions = {}): FieldError[] {
  const plan = planOf(schema);
  if (options.old !== undefined && isValidWhereChanged(plan, value, options.old)) return [];
  const first = new Walker(options.path ?? '');
  walk(first, plan, plan, value, undefined);
  if (first.errors.length === 0 || options.old === undefined) return withoutDuplicates(first.errors);
  // Compare with the old value only after a failure, so that valid objects do not pay for it.
  const second = new Walker(options.path ?? '');
  walk(second, plan, plan, value, options.old);
  return withoutDuplicates(second.errors);
}

/**
 * Validates only the parts that an update does not share with the stored object: errors of unchanged parts are not reported
 * anyway.
 */
function isValidWhereChanged(plan: Plan, value: JsonValue, old: JsonValue): boolean {
  const walker = new Walker('', true);
  walk(walker, plan, plan, value, old);
  return walker.errors.length === 0;
}

function withoutDuplicates(errors: FieldError[]): FieldError[] {
  if (errors.length < 2) return errors;
  const seen = new Set<string>();
  return errors.filter((error) => {
    const text = `${error.field}\n${error.message}`;
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/**
 * Validates a value. `outer` is the structural node that the plan refines: alternatives such as anyOf have no list types, so old
 * items are found by the enclosing node.
 */
function walk(walker: Walker, plan: Plan, outer: Plan, value: JsonValue, old: JsonValue | undefined): void {
  if (walker.skipsShared && value === old && typeof value === 'object') return;
  const before = walker.errors.length;
  check(walker, plan, outer, value, old);
  if (walker.skipsShared || walker.errors.length === before) return;
  if (old !== undefined && isUnchanged(outer.schema, value, old)) {
    walker.errors.length = before;
  }
}

function check(walker: Walker, plan: Plan, outer: Plan, value: JsonValue, old: JsonValue | undefined): void {
  if (value === null) {
    checkNull(walker, plan);
    return;
  }
  if (walker.depth > depthMax) {
    failPlain(walker, `${walker.name().slice(0, 256)}... is nested more than ${depthMax} levels deep`);
    return;
  }
  const kind = jsonKindOf(value);
  checkType(walker, plan, kind);
  walker.matches += 3;
  // Validate an alternative as a whole: a partial validation would accept too much.
  if (plan.hasComposition) checkComposition(walker, plan, outer, value, walker.skipsShared ? undefined : old);
  if (typeof value === 'string') checkString(walker, plan, value);
  else if (typeof value === 'number' || typeof value === 'bigint') {
    checkNumber(walker, plan, value, kind === jsonKind.integer);
  } else if (isJsonArray(value)) checkList(walker, plan, outer, value, old);
  checkEnum(walker, plan, value);
  if (kind === jsonKind.object) checkObject(walker, plan, outer, value as JsonObject, old);
  walker.matches += 1;
}

function checkList(walker: Walker, plan: Plan, outer: Plan, value: JsonArray, old: JsonValue | undefined): void {
  walker.matches += 2;
  const { items, minItems, maxItems, uniqueItems } = plan.schema;
  if (items !== undefined) checkItems(walker, planOf(items), outer, value, old);
  if (minItems !== undefined && value.length < minItems) {
    failBody(walker, value.length, `should have at least ${minItems} items`);
  }
  if (maxItems !== undefined && value.length > maxItems) failTooMany(walker, value.length, maxItems);
  if (uniqueItems === true) checkUnique(walker, value);
}

function checkItems(walker: Walker, plan: Plan, outer: Plan, value: JsonArray, old: JsonValue | undefined): void {
  const outerItem = outer.schema.items === undefined ? plan : planOf(outer.schema.items);
  const find = old === undefined || walker.skipsShared ? undefined : correlateItems(outer.schema, old);
  for (let index = 0; index < value.length; index += 1) {
    const item = value[index] ?? null;
    walker.enter(index);
    // A null old item counts as absent, unlike a null old property.
    walk(walker, plan, outerItem, item, find?.(item) ?? undefined);
    walker.leave();
  }
}

// Checks uniqueItems. CRDs must not use it; built-in schemas may, for short lists.
function checkUnique(walker: Walker, value: JsonArray): void {
  const seen = new Set(value.map((item) => JSON.stringify(item, stringifyBigint)));
  if (seen.size < value.length) failBody(walker, '', "shouldn't contain duplicates");
}

function stringifyBigint(_key: string, item: unknown): unknown {
  return typeof item === 'bigint' ? item.toString() : item;
}

function checkObject(walker: Walker, plan: Plan, outer: Plan, value: JsonObject, old: JsonValue | undefined): void {
  walker.matches += 1;
  const { minProperties, maxProperties, required } = plan.schema;
  if (minProperties !== undefined || maxProperties !== undefined) {
    checkPropertyCount(walker, countKeys(value), minProperties, maxProperties);
  }
  if (plan.additional !== undefined) checkAdditional(walker, plan, plan.additional, outer, value, old);
  for (const property of plan.properties) {
    const item = property.inherited && !Object.hasOwn(value, property.name) ? undefined : value[property.name];
    if (item === undefined) continue;
    const child = planOfProperty(property);
    walker.enter(property.name);
    walk(walker, child, outerChild(plan, outer, property.name, child), item, oldOf(walker, old, property.name));
    walker.leave();
  }
  if (required !== undefined) checkRequired(walker, value, required);
}

function outerChild(plan: Plan, outer: Plan, key: string, child: Plan): Plan {
  if (plan === outer) return child;
  const schema = outer.propertyByName.get(key)?.schema ?? outer.additional;
  return schema === undefined ? child : planOf(schema);
}

// Returns the old value of a member. Undefined for apiVersion and kind at the root: both objects were converted to the version of
// the request, so a change of these fields is not visible.
function oldOf(walker: Walker, old: JsonValue | undefined, key: string): JsonValue | undefined {
  if (old === undefined || (walker.depth === 1 && (key === 'apiVersion' || key === 'kind'))) return undefined;
  return correlateKey(old, key);
}

function checkAdditional(
  walker: Walker,
  plan: Plan,
  additional: Schema,
  outer: Plan,
  value: JsonObject,
  old: JsonValue | undefined,
): void {
  const child = planOf(additional);
  for (const key in value) {
    const item = value[key];
    if (item === undefined || plan.propertyByName.has(key)) continue;
    walker.enter(key);
    walk(walker, child, outerChild(plan, outer, key, child), item, oldOf(walker, old, key));
    walker.leave();
  }
}

function countKeys(value: JsonObject): number {
  let count = 0;
  for (const key in value) if (value[key] !== undefined) count += 1;
  return count;
}

function checkPropertyCount(
  walker: Walker,
  count: number,
  minProperties: number | undefined,
  maxProperties: number | undefined,
): void {
  if (minProperties !== undefined && count < minProperties) {
    failBody(walker, count, `should have at least ${minProperties} properties`);
  }
  if (maxProperties !== undefined && count > maxProperties) failTooMany(walker, count, maxProperties);
}

function checkRequired(walker: Walker, value: JsonObject, required: readonly string[]): void {
  for (const key of required) {
    if (!Object.hasOwn(value, key) || value[key] === undefined) failRequired(walker, key);
  }
}

/** Validates anyOf, oneOf, allOf and not, in upstream's order and with its choice of reported errors. */
function checkComposition(walker: Walker, plan: Plan, outer: Plan, value: JsonValue, old: JsonValue | undefined): void {
  const { anyOf, oneOf, allOf, not } = plan.schema;
  const attempt = (schema: Schema): Attempt => tryAlternative(walker, schema, outer, value, old);
  if (anyOf !== undefined && anyOf.length > 0) checkAnyOf(walker, anyOf, attempt);
  if (oneOf !== undefined && oneOf.length > 0) checkOneOf(walker, oneOf, attempt);
  if (allOf !== undefined && allOf.length > 0) checkAllOf(walker, allOf, attempt);
  if (not !== undefined && attempt(not).errors.length === 0) {
    failPlain(walker, `${JSON.stringify(walker.name())} must not validate the schema (not)`);
  }
}

interface Attempt {
  readonly errors: readonly FieldError[];
  readonly matches: number;
}

function tryAlternative(
  walker: Walker,
  schema: Schema,
  outer: Plan,
  value: JsonValue,
  old: JsonValue | undefined,
): Attempt {
  const { errors, matches } = walker;
  walker.errors = [];
  walker.matches = 0;
  check(walker, planOf(schema), outer, value, old);
  const attempt = { errors: walker.errors, matches: walker.matches };
  walker.errors = errors;
  walker.matches = matches;
  return attempt;
}

function merge(walker: Walker, attempt: Attempt): void {
  for (const error of attempt.errors) walker.errors.push(error);
  walker.matches += attempt.matches;
}

function checkAnyOf(walker: Walker, schemas: readonly Schema[], attempt: (schema: Schema) => Attempt): void {
  let best: Attempt | undefined;
  for (const schema of schemas) {
    const result = attempt(schema);
    if (result.errors.length === 0) {
      merge(walker, result);
      return;
    }
    if (best === undefined || result.matches > best.matches) best = result;
  }
  failPlain(walker, `${JSON.stringify(walker.name())} must validate at least one schema (anyOf)`);
  if (best !== undefined) merge(walker, best);
}

function checkOneOf(walker: Walker, schemas: readonly Schema[], attempt: (schema: Schema) => Attempt): void {
  const results = schemas.map(attempt);
  const valid = results.filter((result) => result.errors.length === 0);
  if (valid.length === 1) {
    for (const result of valid) merge(walker, result);
    return;
  }
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  failPlain(walker, `${JSON.stringify(walker.name())} must validate one and only one schema (oneOf). ${found}`);
  if (valid.length === 0) merge(walker, results.reduce(moreMatches));
}

function moreMatches(best: Attempt, next: Attempt): Attempt {
  return next.matches > best.matches ? next : best;
}

function checkAllOf(walker: Walker, schemas: readonly Schema[], attempt: (schema: Schema) => Attempt): void {
  let valid = 0;
  for (const schema of schemas) {
    const result = attempt(schema);
    if (result.errors.length === 0) valid += 1;
    merge(walker, result);
  }
  if (valid === schemas.length) return;
  const none = valid === 0 ? '. None validated' : '';
  failPlain(walker, `${JSON.stringify(walker.name())} must validate all the schemas (allOf)${none}`);
}
