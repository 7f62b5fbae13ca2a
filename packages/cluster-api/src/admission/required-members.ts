import type { MutableJson, MutableJsonObject, Schema } from '@slipway/kube';
import { isObject } from '../conversion/index.js';

/**
 * Sets missing required members to their zero values, and removes them again. An object converted from an old version was not
 * validated against the schema of the storage version, but validation functions expect the required members.
 */
export interface RequiredMembers {
  isComplete(object: MutableJsonObject): boolean;
  /** Adds the missing members. Returns a function that removes those that still have their zero value. */
  complete(object: MutableJsonObject): () => void;
}

export function requiredMembersOf(schema: Schema): RequiredMembers {
  // Computed on first use: most processes never see objects of most kinds.
  let cached: { readonly plan: Plan | undefined } | undefined;
  const plan = (): Plan | undefined => (cached ??= { plan: planOf(schema) }).plan;
  return {
    isComplete: (object) => !visit(plan(), object, () => true),
    complete(object) {
      const written: { readonly parent: MutableJsonObject; readonly key: string }[] = [];
      visit(plan(), object, (parent, key, zero) => {
        parent[key] = zero();
        written.push({ parent, key });
        return false;
      });
      return () => {
        // Inner members were added last. They are removed first, so that an outer member is empty again when its turn comes.
        for (const { parent, key } of written.reverse()) if (isZero(parent[key])) delete parent[key];
      };
    },
  };
}

type Zero = () => MutableJson;

/** The part of a schema that leads to required members. */
interface Plan {
  readonly required: readonly (readonly [key: string, zero: Zero])[];
  readonly members: readonly (readonly [key: string, plan: Plan])[];
  readonly items: Plan | undefined;
  readonly values: Plan | undefined;
}

const zeros: Readonly<Record<string, Zero>> = {
  object: () => ({}),
  array: () => [],
  string: () => '',
  boolean: () => false,
  integer: () => 0,
  number: () => 0,
};

function planOf(schema: Schema): Plan | undefined {
  const { properties = {}, required = [], items, additionalProperties } = schema;
  const plan: Plan = {
    required: required.flatMap((key) => {
      const zero = zeros[properties[key]?.type ?? ''];
      return zero === undefined ? [] : [[key, zero] as const];
    }),
    members: Object.entries(properties).flatMap(([key, child]) => {
      const inner = planOf(child);
      return inner === undefined ? [] : [[key, inner] as const];
    }),
    items: items === undefined ? undefined : planOf(items),
    values: typeof additionalProperties === 'object' ? planOf(additionalProperties) : undefined,
  };
  const leads = plan.required.length + plan.members.length > 0 || (plan.items ?? plan.values) !== undefined;
  return leads ? plan : undefined;
}

/** Calls `missing` for every missing required member, outer ones first. Stops once `missing` returns true. */
function visit(
  plan: Plan | undefined,
  value: MutableJson | undefined,
  missing: (parent: MutableJsonObject, key: string, zero: Zero) => boolean,
): boolean {
  if (plan === undefined) return false;
  if (Array.isArray(value)) return value.some((item) => visit(plan.items, item, missing));
  if (!isObject(value)) return false;
  return (
    plan.required.some(([key, zero]) => value[key] === undefined && missing(value, key, zero)) ||
    plan.members.some(([key, inner]) => visit(inner, value[key], missing)) ||
    (plan.values !== undefined && Object.values(value).some((member) => visit(plan.values, member, missing)))
  );
}

function isZero(value: MutableJson | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}
