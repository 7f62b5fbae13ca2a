import { post, type Script, type Step } from '../script.js';
import { definition, definitions, version } from './definition.js';

const bad = (name: string, crd: unknown): Step => post(name, definitions, crd);
const badNames = { plural: 'bads', kind: 'Bad' };

export const definitionRefusals: Script = {
  name: 'definition refusals',
  steps: [
    bad('nothing', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'x' },
    }),
    bad('a wrong name', definition(badNames, [version('v1', {})], {}, { name: 'other.example.com' })),
    bad('no versions', definition(badNames, [])),
    bad('no storage version', definition(badNames, [version('v1', {}, { storage: false })])),
    bad('two storage versions', definition(badNames, [version('v1', {}), version('v2', {})])),
    bad('one version twice', definition(badNames, [version('v1', {}), version('v1', {}, { storage: false })])),
    bad('no schema', definition(badNames, [{ name: 'v1', served: true, storage: true }])),
    bad('a bad version name', definition(badNames, [version('V1.x', {})])),
    bad('a bad scope', definition(badNames, [version('v1', {})], { scope: 'Everywhere' })),
    bad('bad names', definition({ plural: 'Bads', kind: 'bad kind' }, [version('v1', {})])),
    bad('a protected group', {
      ...definition(badNames, [version('v1', {})], { group: 'bad.k8s.io' }),
      metadata: { name: 'bads.bad.k8s.io' },
    }),
    bad('no type', definition(badNames, [version('v1', { spec: { properties: { a: {} } } })])),
    bad('a reference', definition(badNames, [version('v1', { spec: { type: 'object', $ref: '#/x' } })])),
    bad(
      'unique items',
      definition(badNames, [version('v1', { spec: { type: 'array', uniqueItems: true, items: { type: 'string' } } })]),
    ),
    bad(
      'a type inside anyOf',
      definition(badNames, [
        version('v1', { spec: { type: 'object', anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }] } }),
      ]),
    ),
    bad(
      'properties and additional properties',
      definition(badNames, [
        version('v1', {
          spec: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
        }),
      ]),
    ),
    bad(
      'a bad default',
      definition(badNames, [
        version('v1', { spec: { type: 'object', properties: { a: { type: 'integer', default: 'x' } } } }),
      ]),
    ),
    bad(
      'a default with unknown fields',
      definition(badNames, [
        version('v1', { spec: { type: 'object', properties: { a: { type: 'string' } }, default: { b: 1 } } }),
      ]),
    ),
    bad('a bad pattern', definition(badNames, [version('v1', { spec: { type: 'string', pattern: '(' } })])),
    bad(
      'map keys that do not exist',
      definition(badNames, [
        version('v1', {
          spec: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: { type: 'object', properties: {} },
          },
        }),
      ]),
    ),
    bad(
      'a rule that does not compile',
      definition(badNames, [
        version('v1', {
          spec: {
            type: 'object',
            properties: { a: { type: 'string' } },
            'x-kubernetes-validations': [{ rule: 'self.b == 1' }],
          },
        }),
      ]),
    ),
    bad(
      'a rule that costs too much',
      definition(badNames, [
        version('v1', {
          spec: {
            type: 'array',
            items: { type: 'array', items: { type: 'string' } },
            'x-kubernetes-validations': [{ rule: 'self.all(x, self.all(y, x.all(z, y.all(w, z == w))))' }],
          },
        }),
      ]),
    ),
    bad(
      'a transition rule in a set',
      definition(badNames, [
        version('v1', {
          spec: {
            type: 'array',
            'x-kubernetes-list-type': 'set',
            items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
          },
        }),
      ]),
    ),
    bad(
      'a bad column',
      definition(badNames, [
        version('v1', {}, { additionalPrinterColumns: [{ name: '', type: 'thing', jsonPath: 'x' }] }),
      ]),
    ),
    bad(
      'a bad selectable field',
      definition(badNames, [version('v1', {}, { selectableFields: [{ jsonPath: '.spec.x' }] })]),
    ),
    bad(
      'bad scale paths',
      definition(badNames, [
        version('v1', {}, { subresources: { scale: { specReplicasPath: 'x', statusReplicasPath: '' } } }),
      ]),
    ),
    bad('preserved unknown fields', definition(badNames, [version('v1', {})], { preserveUnknownFields: true })),
    bad('a bad conversion', definition(badNames, [version('v1', {})], { conversion: { strategy: 'Webhook' } })),
    bad(
      'restricted metadata',
      definition(badNames, [
        version('v1', { metadata: { type: 'object', properties: { labels: { type: 'object' } } } }),
      ]),
    ),
    bad(
      'an embedded resource without a type',
      definition(badNames, [
        version('v1', {
          spec: { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        }),
      ]),
    ),
  ],
};
