import type { Schema } from '../../schema/index.js';
import { type CompiledNode, compileNode } from './compile-rule.js';

/** The part of a schema that has rules somewhere in it. Rules compile when a value first reaches them. */
export class RuleTree {
  private compiled: CompiledNode | undefined | 'not yet' = 'not yet';

  constructor(
    readonly schema: Schema,
    readonly isResource: boolean,
    readonly properties: ReadonlyMap<string, RuleTree>,
    readonly items: RuleTree | undefined,
    readonly values: RuleTree | undefined,
  ) {}

  get hasRules(): boolean {
    return (this.schema['x-kubernetes-validations']?.length ?? 0) > 0;
  }

  /** Undefined when CEL cannot see the node. */
  get node(): CompiledNode | undefined {
    if (this.compiled === 'not yet') this.compiled = compileNode(this.schema, this.isResource);
    return this.compiled;
  }
}

const resources = new WeakMap<Schema, RuleTree | 'none'>();
const nodes = new WeakMap<Schema, RuleTree | 'none'>();

/** Compiled once for each schema; undefined when it has no rules. */
export function ruleTree(schema: Schema, isResource: boolean): RuleTree | undefined {
  const cache = isResource ? resources : nodes;
  const known = cache.get(schema);
  if (known !== undefined) return known === 'none' ? undefined : known;
  // Schemas of built-in kinds may contain themselves, and never have rules: the mark stops the walk.
  cache.set(schema, 'none');
  const tree = buildTree(schema, isResource);
  cache.set(schema, tree ?? 'none');
  return tree;
}

function childTree(schema: Schema): RuleTree | undefined {
  return ruleTree(schema, schema['x-kubernetes-embedded-resource'] === true);
}

function buildTree(schema: Schema, isResource: boolean): RuleTree | undefined {
  const properties = new Map<string, RuleTree>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const tree = childTree(property);
    if (tree !== undefined) properties.set(name, tree);
  }
  const items = schema.items && childTree(schema.items);
  const values = typeof schema.additionalProperties === 'object' ? childTree(schema.additionalProperties) : undefined;
  const hasRules = (schema['x-kubernetes-validations']?.length ?? 0) > 0;
  if (!hasRules && properties.size === 0 && items === undefined && values === undefined) return undefined;
  return new RuleTree(schema, isResource, properties, items, values);
}
