import type { Schema } from '../../schema/index.js';
import { type CompiledNode, compileNode } from './compile-rule.js';

/** The part of a schema that contains rules. Rules are compiled on first use. */
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

  /** The compiled rules of the node. Undefined if the node is not visible to CEL. */
  get node(): CompiledNode | undefined {
    if (this.compiled === 'not yet') this.compiled = compileNode(this.schema, this.isResource);
    return this.compiled;
  }
}

const resources = new WeakMap<Schema, RuleTree | 'none'>();
const nodes = new WeakMap<Schema, RuleTree | 'none'>();

/** Returns the tree of a schema, which is built once. Undefined if the schema has no rules. */
export function ruleTree(schema: Schema, isResource: boolean): RuleTree | undefined {
  const cache = isResource ? resources : nodes;
  const cached = cache.get(schema);
  if (cached !== undefined) return cached === 'none' ? undefined : cached;
  // Schemas of built-in kinds may be recursive, and never have rules. This entry ends the recursion.
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
