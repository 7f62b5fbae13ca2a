import { cloneJson, type MutableJson, type MutableJsonObject } from '../../json/index.js';
import { setOwn } from '../model/own-property.js';
import { type Plan, planOf, planOfKey, planOfProperty } from '../model/plan.js';
import type { Schema } from '../schema.js';
import { depthMax } from '../validation/walker.js';

/**
 * Applies defaults in place. Null under a property that is not nullable counts as absent: it is dropped or replaced by the
 * default. Defaults are applied only inside objects that exist. Nulls in lists are kept and fail validation.
 */
export function applyDefaults(schema: Schema, value: MutableJson): void {
  visit(planOf(schema), value, 0);
}

function visit(plan: Plan, value: MutableJson | undefined, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > depthMax) return;
  // A frozen value belongs to a stored object of the same schema, so its defaults were applied before.
  if (Object.isFrozen(value)) return;
  if (Array.isArray(value)) visitList(plan, value, depth);
  else visitObject(plan, value, depth);
}

function visitObject(plan: Plan, value: MutableJsonObject, depth: number): void {
  for (const property of plan.defaulted) {
    const child = planOfProperty(property);
    const present = property.inherited && !Object.hasOwn(value, property.name) ? undefined : value[property.name];
    if (present === undefined || (present === null && !child.nullable)) {
      setOwn<MutableJson | undefined>(value, property.name, defaultOf(child));
    }
  }
  if (plan.properties.length === 0 && plan.additional === undefined) return;
  for (const key in value) visitKey(plan, value, key, depth);
}

function visitKey(plan: Plan, value: MutableJsonObject, key: string, depth: number): void {
  const child = planOfKey(plan, key);
  if (child === undefined) return;
  if (value[key] === null && !child.nullable) {
    if (child.default === undefined) {
      delete value[key];
      return;
    }
    setOwn<MutableJson | undefined>(value, key, defaultOf(child));
  }
  visit(child, value[key], depth + 1);
}

function visitList(plan: Plan, value: MutableJson[], depth: number): void {
  if (plan.schema.items === undefined) return;
  const child = planOf(plan.schema.items);
  for (let index = 0; index < value.length; index += 1) {
    if (value[index] === null && !child.nullable) value[index] = defaultOf(child) ?? null;
    visit(child, value[index], depth + 1);
  }
}

function defaultOf(plan: Plan): MutableJson | undefined {
  return plan.default === undefined ? undefined : cloneJson(plan.default);
}
