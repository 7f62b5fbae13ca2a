import { describe, expect, it } from 'vitest';
import { formatFieldError } from '../../errors/index.js';
import { type Change, definition } from '../fixtures/definition.js';
import type { Schema } from '../schema.js';
import {
  validateCustomResourceDefinitionStatus,
  validateCustomResourceDefinitionUpdate,
} from './validate-definition.js';
import type { DefinitionCheckOptions } from './validate-versions.js';

describe('validateCustomResourceDefinitionUpdate', () => {
  const established = { conditions: [{ type: 'Established', status: 'True' as const }], storedVersions: ['v1'] };

  function update(change: Change, old: Change, options: DefinitionCheckOptions = {}): string[] {
    return validateCustomResourceDefinitionUpdate(definition(change), definition(old), options).map(formatFieldError);
  }

  it('rejects changes of group, plural, kind and scope of an established CRD', () => {
    const change = {
      spec: { group: 'example.org', scope: 'Cluster' as const, names: { plural: 'foos2', kind: 'Foo2' } },
    };
    expect(update(change, { status: established })).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Foo2": field is immutable',
      'spec.group: Invalid value: "example.org": field is immutable',
      'spec.names.plural: Invalid value: "foos2": field is immutable',
    ]);
    expect(update({ spec: { scope: 'Cluster' } }, {})).toEqual([]);
  });

  it('accepts changes of short names and categories', () => {
    const names = { plural: 'foos', kind: 'Foo', shortNames: ['f'], categories: ['all'] };
    expect(update({ spec: { names } }, { status: established })).toEqual([]);
  });

  it('rejects the removal of a version in status.storedVersions', () => {
    expect(update({ status: { storedVersions: ['v0', 'v1'] } }, {})).toEqual([
      'status.storedVersions[0]: Invalid value: "v0": missing from spec.versions; v0 was previously a storage version, ' +
        'and must remain in spec.versions until a storage migration ensures no data remains persisted in v0 and removes ' +
        'v0 from status.storedVersions',
    ]);
  });

  it('requires the storage version in status.storedVersions', () => {
    expect(update({ version: { name: 'v2' }, status: { storedVersions: ['v1'] } }, {})[0]).toBe(
      'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
    );
  });

  it('does not enforce requirements that the stored CRD violates', () => {
    const schema = {
      openAPIV3Schema: {
        type: 'object',
        properties: { s: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } } },
      } as Schema,
    };
    expect(update({ version: { schema } }, { version: { schema } })).toEqual([]);
    expect(update({ version: { schema } }, {})).toHaveLength(1);
  });

  it('does not report an unchanged approval', () => {
    const change = { metadata: { name: 'foos.k8s.io' }, spec: { group: 'k8s.io' } };
    expect(update(change, change)).toEqual([]);
  });

  it('passes the stored rules and whether the schema changed', () => {
    const rules = (...texts: string[]) => ({
      schema: { 'x-kubernetes-validations': texts.map((rule) => ({ rule })) },
    });
    const seen: unknown[] = [];
    const options: DefinitionCheckOptions = {
      checkRules: ({ sites, unchanged, isPreexisting }) => {
        for (const rule of sites[0]?.schema['x-kubernetes-validations'] ?? [])
          seen.push([rule.rule, isPreexisting(rule), unchanged]);
        return [];
      },
    };
    update(rules('a', 'b'), rules('a'), options);
    update(rules('a'), rules('a'), options);
    expect(seen).toEqual([
      ['a', true, false],
      ['b', false, false],
      ['a', true, true],
    ]);
  });

  it('requires a valid PEM caBundle for an established CRD', () => {
    const conversion = {
      strategy: 'Webhook' as const,
      webhook: { clientConfig: { url: 'https://a', caBundle: 'eA==' }, conversionReviewVersions: ['v1'] },
    };
    const options = { caBundleProblem: () => 'unable to load root certificates' };
    expect(update({ spec: { conversion } }, {}, options)).toEqual([]);
    expect(update({ spec: { conversion } }, { status: established }, options)).toHaveLength(1);
    expect(update({ spec: { conversion } }, { spec: { conversion }, status: established }, options)).toEqual([]);
  });
});

it('validates accepted names on the status endpoint', () => {
  const made = definition({ status: { acceptedNames: { plural: 'A', kind: 'Foo' } } });
  expect(validateCustomResourceDefinitionStatus(made).map(({ field }) => field)).toEqual([
    'status.acceptedNames.plural',
  ]);
});
