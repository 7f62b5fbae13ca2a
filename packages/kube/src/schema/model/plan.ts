import type { JsonValue } from '../../json/index.js';
import { type FormatCheck, formatCheckOf, recognisedFormat } from '../formats/index.js';
import type { Schema } from '../schema.js';
import { jsonKind } from './json-kind.js';
import { type CompiledPattern, compilePattern } from './pattern.js';

/** One property of an object schema. */
export interface PropertyPlan {
  readonly name: string;
  readonly schema: Schema;
  /**
   * Whether every JavaScript object has a member of this name, such as `constructor`, so that presence needs an explicit check.
   */
  readonly inherited: boolean;
  /** The plan of the property's schema. Computed on first use, because schemas may be recursive. */
  plan: Plan | undefined;
}

/** A schema node prepared for walkers, computed once and cached for the lifetime of the schema. */
export interface Plan {
  readonly schema: Schema;
  /** The type in error messages: `string`, `integer,string` or empty. */
  readonly typeText: string;
  /** The only type of the node, or empty if there is not exactly one. */
  readonly onlyType: string;
  readonly accepts: number;
  readonly nullable: boolean;
  /** The format to validate. Empty if the format is unknown or the type does not support it. */
  readonly format: string;
  readonly formatCheck: FormatCheck | undefined;
  readonly pattern: CompiledPattern | undefined;
  readonly hasStringLimits: boolean;
  readonly hasNumberLimits: boolean;
  readonly hasComposition: boolean;
  readonly enumStrings: ReadonlySet<string> | undefined;
  readonly properties: readonly PropertyPlan[];
  readonly propertyByName: ReadonlyMap<string, PropertyPlan>;
  /** Properties with a default, in schema order. */
  readonly defaulted: readonly PropertyPlan[];
  readonly additional: Schema | undefined;
  /** Whether the schema has `additionalProperties: true`: every key is known and the values are unspecified. */
  readonly additionalAny: boolean;
  readonly preserveUnknown: boolean;
  readonly embedded: boolean;
  readonly intOrString: boolean;
  readonly default: JsonValue | undefined;
}

const plans = new WeakMap<Schema, Plan>();

export function planOf(schema: Schema): Plan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = compilePlan(schema);
    plans.set(schema, plan);
  }
  return plan;
}

/** Returns the plan of a property. */
export function planOfProperty(property: PropertyPlan): Plan {
  property.plan ??= planOf(property.schema);
  return property.plan;
}

/** Returns the plan of the value under a key, which is a property or a map value. */
export function planOfKey(plan: Plan, key: string): Plan | undefined {
  const property = plan.propertyByName.get(key);
  if (property !== undefined) return planOfProperty(property);
  return plan.additional === undefined ? undefined : planOf(plan.additional);
}

const acceptedKinds: Readonly<Record<string, number>> = {
  string: jsonKind.string,
  integer: jsonKind.integer,
  number: jsonKind.number | jsonKind.integer,
  boolean: jsonKind.boolean,
  array: jsonKind.array,
  object: jsonKind.object,
};

function compilePlan(schema: Schema): Plan {
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  const type = intOrString ? '' : (schema.type ?? '');
  const typeText = intOrString ? 'integer,string' : type;
  const format = recognisedFormat(type, schema.format);
  const properties = compileProperties(schema);
  const additional = schema.additionalProperties;
  return {
    schema,
    typeText,
    onlyType: type,
    accepts: intOrString ? jsonKind.integer | jsonKind.string : (acceptedKinds[typeText] ?? 0),
    nullable: schema.nullable === true,
    format,
    formatCheck: formatCheckOf(format),
    pattern: schema.pattern ? compilePattern(schema.pattern) : undefined,
    ...limitsOf(schema, format),
    enumStrings: enumStringsOf(schema),
    properties,
    propertyByName: new Map(properties.map((property) => [property.name, property])),
    defaulted: properties.filter((property) => hasDefault(property.schema)),
    additional: typeof additional === 'object' ? additional : undefined,
    additionalAny: additional === true,
    preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embedded: schema['x-kubernetes-embedded-resource'] === true,
    intOrString,
    default: hasDefault(schema) ? schema.default : undefined,
  };
}

// Returns whether a schema has a default. Null counts as no default, because upstream cannot distinguish them.
function hasDefault(schema: Schema): boolean {
  return schema.default !== undefined && schema.default !== null;
}

function limitsOf(
  schema: Schema,
  format: string,
): Pick<Plan, 'hasStringLimits' | 'hasNumberLimits' | 'hasComposition'> {
  return {
    hasStringLimits: schema.maxLength !== undefined || schema.minLength !== undefined,
    hasNumberLimits:
      schema.type === 'integer' ||
      format === 'float' ||
      schema.minimum !== undefined ||
      schema.maximum !== undefined ||
      schema.multipleOf !== undefined,
    hasComposition:
      schema.anyOf !== undefined ||
      schema.oneOf !== undefined ||
      schema.allOf !== undefined ||
      schema.not !== undefined,
  };
}

function enumStringsOf(schema: Schema): ReadonlySet<string> | undefined {
  if (schema.enum === undefined || schema.enum.length === 0) return undefined;
  return new Set(schema.enum.filter((item) => typeof item === 'string'));
}

function compileProperties(schema: Schema): readonly PropertyPlan[] {
  if (schema.properties === undefined) return [];
  return Object.entries(schema.properties).map(([name, child]) => ({
    name,
    schema: child,
    inherited: name in Object.prototype,
    plan: undefined,
  }));
}
