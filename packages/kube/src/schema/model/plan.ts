import type { JsonValue } from '../../json/index.js';
import { type FormatCheck, formatCheckOf, recognisedFormat } from '../formats/index.js';
import type { Schema } from '../schema.js';
import { jsonKind } from './json-kind.js';
import { type CompiledPattern, compilePattern } from './pattern.js';

/** One property of an object schema. */
export interface PropertyPlan {
  readonly name: string;
  readonly schema: Schema;
  /** The name exists on every JavaScript object (`constructor`), so that presence must be asked for explicitly. */
  readonly inherited: boolean;
  /** Worked out on first use: schemas may contain themselves. */
  plan: Plan | undefined;
}

/** What a walker needs of a schema node, worked out once and kept as long as the schema lives. */
export interface Plan {
  readonly schema: Schema;
  /** As error texts print it: `string`, `integer,string` or empty. */
  readonly typeText: string;
  /** The one type the node names, else empty. */
  readonly onlyType: string;
  readonly accepts: number;
  readonly nullable: boolean;
  /** Empty when the type does not know the format: unknown formats are ignored. */
  readonly format: string;
  readonly formatCheck: FormatCheck | undefined;
  readonly pattern: CompiledPattern | undefined;
  readonly hasStringLimits: boolean;
  readonly hasNumberLimits: boolean;
  readonly hasComposition: boolean;
  readonly enumStrings: ReadonlySet<string> | undefined;
  readonly properties: readonly PropertyPlan[];
  readonly propertyByName: ReadonlyMap<string, PropertyPlan>;
  /** Properties that have a default, in the order of the schema. */
  readonly defaulted: readonly PropertyPlan[];
  readonly additional: Schema | undefined;
  /** `additionalProperties: true`: every key is known, nothing is said of the values. */
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

/** The plan of a property, without looking it up a second time. */
export function planOfProperty(property: PropertyPlan): Plan {
  property.plan ??= planOf(property.schema);
  return property.plan;
}

/** The plan of what stands under a key, as a property or as a value of a map. */
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

// A null default is no default, whatever the node: upstream cannot tell them apart either.
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
