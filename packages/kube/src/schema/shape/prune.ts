import type { MutableJson, MutableJsonObject } from '../../json/index.js';
import { isJsonArray } from '../model/json-kind.js';
import { type Plan, planOf, planOfKey } from '../model/plan.js';
import type { Schema } from '../schema.js';
import { depthMax } from '../validation/walker.js';
import { objectMetaFields } from './object-meta-fields.js';

export interface PruneOptions {
  /** The value is a resource: apiVersion, kind and the known fields of metadata stay whatever the schema says. */
  readonly isResource?: boolean;
  /** Paths in the order of the document instead of sorted: typed decoders meet them one by one. */
  readonly documentOrder?: boolean;
}

/**
 * Removes what the schema does not specify, in place and at every level. Below `x-kubernetes-preserve-unknown-fields`
 * unknown keys stay, and known ones are pruned by their own schema again.
 */
export function prune(schema: Schema, value: MutableJson, options: PruneOptions = {}): void {
  visit({ remove: true, paths: undefined }, planOf(schema), value, '', 0, roleOf(options));
}

/** The paths that pruning would remove (`spec.items[0].q`), sorted unless told otherwise. The value is not changed. */
export function findUnknownFields(schema: Schema, value: MutableJson, options: PruneOptions = {}): string[] {
  const paths: string[] = [];
  visit({ remove: false, paths }, planOf(schema), value, '', 0, roleOf(options));
  return options.documentOrder === true ? paths : paths.sort(byBytes);
}

function roleOf(options: PruneOptions): Role {
  return options.isResource === false ? 'value' : 'resource';
}

// Go sorts by bytes, which is the order of code points; for the keys of objects that is the order of UTF-16 units.
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

/** How the node came to be walked: as a resource of its own, or as an item of a list that preserves unknown fields. */
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
  // What is frozen belongs to a stored object of the same schema, and was pruned when it came in.
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
  // Items of an unspecified list lose all their fields, unless unknown fields are preserved here.
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

// Of the three fields that every resource has only metadata has an inside.
function metaPlan(key: string): Plan {
  return planOf(key === 'metadata' ? objectMetaFields : anything);
}

const anything: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/** Undefined under `additionalProperties: true`, where nothing is said of the values. */
function childPlan(plan: Plan | undefined, key: string): Plan | undefined | 'unknown' {
  if (plan === undefined) return 'unknown';
  const child = planOfKey(plan, key);
  if (child !== undefined) return child;
  return plan.additionalAny ? undefined : 'unknown';
}

function indexed(pruning: Pruning, path: string, index: number): string {
  return pruning.paths === undefined ? '' : `${path}[${index}]`;
}

// Paths are wanted only when unknown fields are to be named.
function join(pruning: Pruning, path: string, key: string): string {
  if (pruning.paths === undefined) return '';
  return path === '' ? key : `${path}.${key}`;
}
