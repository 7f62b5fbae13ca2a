import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatFieldError } from '../../errors/index.js';
import { type JsonValue, parseJsonValue } from '../../json/index.js';
import type { Schema } from '../../schema/index.js';
import { checkRules, type RuleNode } from './check-rules.js';
import { evaluateRules } from './evaluate-rules.js';

/** Recorded results of apiextensions-apiserver 1.36.3 for a schema and an object. */
interface Case {
  readonly name: string;
  readonly schema: Schema;
  readonly object?: JsonValue;
  readonly old?: JsonValue;
  readonly definitionErrors: readonly string[];
  readonly errors?: readonly string[];
}

const PATH = 'spec.versions[0].schema.openAPIV3Schema';
const text = readFileSync(new URL('../fixtures/rules.json', import.meta.url));
// Cast through unknown: the recorded JSON matches the interface.
const cases = parseJsonValue(text) as unknown as Case[];

function sitesOf(schema: Schema, path: string, steps: RuleNode['steps'] = [], uncorrelatablePath?: string): RuleNode[] {
  const sites: RuleNode[] = [];
  if (schema['x-kubernetes-validations'] !== undefined) sites.push({ schema, path, steps, uncorrelatablePath });
  const below = (
    child: Schema,
    suffix: string,
    kind: RuleNode['steps'][number]['kind'],
    from = uncorrelatablePath,
  ): void => {
    sites.push(...sitesOf(child, path + suffix, [...steps, { kind, parent: schema }], from));
  };
  for (const [name, child] of Object.entries(schema.properties ?? {})) below(child, `.properties[${name}]`, 'property');
  if (typeof schema.additionalProperties === 'object')
    below(schema.additionalProperties, '.additionalProperties', 'additionalProperties');
  const isMatched = schema['x-kubernetes-list-type'] === 'map';
  if (schema.items !== undefined)
    below(schema.items, '.items', 'items', isMatched ? uncorrelatablePath : (uncorrelatablePath ?? path));
  return sites;
}

describe('CEL rules of a CRD', () => {
  it.each(cases)('are rejected with the errors of kube-apiserver: $name', ({ schema, definitionErrors }) => {
    const errors = checkRules({ path: PATH, sites: sitesOf(schema, PATH) });
    expect(errors.map(formatFieldError).sort()).toEqual(definitionErrors);
  });
});

describe('CEL rules of an object', () => {
  it.each(cases.filter((row) => row.object !== undefined))(
    'return the errors of kube-apiserver: $name',
    ({ schema, object, old, errors }) => {
      const found = evaluateRules({ schema, value: object ?? null, old, path: '', isResource: true });
      expect(found.map(formatFieldError).sort()).toEqual(errors);
    },
  );
});
