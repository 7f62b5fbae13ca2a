import type { MutableJson, MutableJsonObject } from '../../json/index.js';
import { isJsonArray } from '../model/json-kind.js';
import { type Plan, planOf, planOfKey } from '../model/plan.js';
import type { Schema } from '../schema.js';
import { depthMax } from '../validation/walker.js';
import { objectMetaFields } from './object-meta-fields.js';

export interface PruneOptions {
  /**
   * Whether the value is a resource: then apiVersion, kind and the known fields of metadata are kept regardless of the schema.
   */
  readonly isResource?: boolean;
  /** Whether to return paths in document order, like typed decoders, instead of sorted. */
  readonly documentOrder?: boolean;
}

/**
 * Removes unspecified fields in place, at every level. Below `x-kubernetes-preserve-unknown-fields` unknown keys are kept,
 * and specified ones are pruned by their own schema.
 */
export function prune(schema: Schema, value: MutableJson, options: PruneOptions = {}): void {
  visit({ remove: true, paths: undefined }, planOf(schema), value, '', 0, roleOf(options));
}

/** Returns the paths that pruning would remove (`spec.items[0].q`), sorted by default. Does not change the value. */
export function findUnknownFields(schema: Schema, value: MutableJson, options: PruneOptions = {}): string[] {
  const paths: string[] = [];
  visit({ remove: false, paths }, planOf(schema), value, '', 0, roleOf(options));
  return options.documentOrder === true ? paths : paths.sort(byBytes);
}

function roleOf(options: PruneOptions): Role {
  return options.isResource === false ? 'value' : 'resource';
}

// Compares paths like Go, by bytes. For object keys this equals the order of UTF-16 code units.
function byBytes(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

interface Pruning {
  readonly remove: boolean;
  readonly paths: string[] | undefined;
}

function isMetaField(key: string): boolean {
  return key === 'metadata' || key === 'apiVersion' || key === 'kind';
}

/** The context of the node: a resource, or an item of a list that preserves unknown fields. */
type Role = 'value' | 'resource' | 'preserved item';

function visit(
  pruning: Pruning,
  plan: Plan | undefined,
  value: MutableJson | undefined,
  path: string,
  depth: number,
  role: Role,
): void {
  if (typeof value !== 'object' || value === null || depth > depthMax) return;
  // A frozen value belongs to a stored object of the same schema, so it was pruned already.
  if (pruning.remove && Object.isFrozen(value)) return;
  if (isJsonArray(value)) visitList(pruning, plan, value as MutableJson[], path, depth, role);
  else visitObject(pruning, plan, value as MutableJsonObject, path, depth, role);
}

function visitList(
  pruning: Pruning,
  plan: Plan | undefined,
  value: MutableJson[],
  path: string,
  depth: number,
  role: Role,
): void {
  const items = plan?.schema.items;
  const preserved = role === 'preserved item' || plan?.preserveUnknown === true;
  // Without an item schema, items lose all fields, unless unknown fields are preserved here.
  if (items === undefined && preserved) return;
  const itemRole: Role = preserved ? 'preserved item' : 'value';
  const itemPlan = items === undefined ? undefined : planOf(items);
  for (let index = 0; index < value.length; index += 1) {
    visit(pruning, itemPlan, value[index], indexed(pruning, path, index), depth + 1, itemRole);
  }
}

function visitObject(
  pruning: Pruning,
  plan: Plan | undefined,
  value: MutableJsonObject,
  path: string,
  depth: number,
  role: Role,
): void {
  const embedded = role === 'resource' || plan?.embedded === true;
  const preserved = role === 'preserved item' || plan?.preserveUnknown === true;
  for (const key in value) {
    const known = embedded && isMetaField(key) ? metaPlan(key) : childPlan(plan, key);
    if (known !== 'unknown') visit(pruning, known, value[key], join(pruning, path, key), depth + 1, 'value');
    else if (!preserved) drop(pruning, value, key, path);
  }
}

function drop(pruning: Pruning, value: MutableJsonObject, key: string, path: string): void {
  pruning.paths?.push(join(pruning, path, key));
  if (pruning.remove) delete value[key];
}

// Returns the plan of apiVersion, kind or metadata. Only metadata has fields.
function metaPlan(key: string): Plan {
  return planOf(key === 'metadata' ? objectMetaFields : anything);
}

const anything: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/** Returns the plan of a member. Undefined under `additionalProperties: true`, where values are unspecified. */
function childPlan(plan: Plan | undefined, key: string): Plan | undefined | 'unknown' {
  if (plan === undefined) return 'unknown';
  const child = planOfKey(plan, key);
  if (child !== undefined) return child;
  return plan.additionalAny ? undefined : 'unknown';
}

function indexed(pruning: Pruning, path: string, index: number): string {
  return pruning.paths === undefined ? '' : `${path}[${index}]`;
}

// Returns the path of a member, or '' if paths are not reported.
function join(pruning: Pruning, path: string, key: string): string {
  if (pruning.paths === undefined) return '';
  return path === '' ? key : `${path}.${key}`;
}
