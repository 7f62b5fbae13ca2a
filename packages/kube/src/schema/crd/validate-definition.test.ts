import { describe, expect, it } from 'vitest';
import { formatFieldError } from '../../errors/index.js';
import type { Schema } from '../schema.js';
import { type Change, definition } from '../fixtures/definition.js';
import { validateCustomResourceDefinition } from './validate-definition.js';

function problems(change: Change): string[] {
  return validateCustomResourceDefinition(definition(change)).map(formatFieldError);
}

const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and " +
  "end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
  "'[a-z]([-a-z0-9]*[a-z0-9])?')";

const second = { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } as Schema } };

describe('CRD defaults', () => {
  it('sets names, conversion and stored versions', () => {
    expect(definition()).toMatchObject({
      spec: { names: { singular: 'foo', listKind: 'FooList' }, conversion: { strategy: 'None' } },
      status: { storedVersions: ['v1'] },
    });
  });

  it('sets port 443 in service references', () => {
    const webhook = { clientConfig: { service: { name: 'a', namespace: 'b' } } };
    const made = definition({ spec: { conversion: { strategy: 'Webhook', webhook } } });
    expect(made.spec.conversion?.webhook?.clientConfig?.service?.port).toBe(443);
  });
});

describe('validateCustomResourceDefinition', () => {
  const rows: readonly { name: string; change: Change; then: readonly string[] }[] = [
    { name: 'accepts a minimal CRD', change: {}, then: [] },
    {
      name: 'requires the name `<plural>.<group>`',
      change: { metadata: { name: 'x' } },
      then: ['metadata.name: Invalid value: "x": must be spec.names.plural+"."+spec.group'],
    },
    {
      name: 'rejects invalid group and scope',
      change: { metadata: { name: 'foos.example' }, spec: { group: 'example', scope: 'World' as 'Cluster' } },
      then: [
        'spec.group: Invalid value: "example": should be a domain with at least one dot',
        'spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"',
      ],
    },
    {
      name: 'names',
      change: {
        metadata: { name: 'Foos.example.com' },
        spec: {
          names: {
            plural: 'Foos',
            kind: '9Foo',
            listKind: '9Foo',
            singular: 'x_',
            shortNames: ['A'],
            categories: ['B'],
          },
        },
      },
      then: [
        `spec.names.plural: Invalid value: "Foos": ${label}`,
        `spec.names.singular: Invalid value: "x_": ${label}`,
        `spec.names.kind: Invalid value: "9Foo": may have mixed case, but should otherwise match: ${label}`,
        `spec.names.listKind: Invalid value: "9Foo": may have mixed case, but should otherwise match: ${label}`,
        `spec.names.shortNames[0]: Invalid value: "A": ${label}`,
        'spec.names.listKind: Invalid value: "9Foo": kind and listKind may not be the same',
        `spec.names.categories[0]: Invalid value: "B": ${label}`,
      ],
    },
    {
      name: 'requires names',
      change: { metadata: { name: '.example.com' }, spec: { names: { plural: '', kind: '' } } },
      then: ['plural', 'singular', 'kind', 'listKind'].map((key) => `spec.names.${key}: Required value`),
    },
    {
      name: 'requires at least one version',
      change: { spec: { versions: [] } },
      then: [
        'spec.versions: Invalid value: []: must have exactly one version marked as storage version',
        'status.storedVersions: Invalid value: null: must have at least one stored version',
      ],
    },
    {
      name: 'requires `schema.openAPIV3Schema`',
      change: { version: { schema: {} } },
      then: ['spec.versions[0].schema.openAPIV3Schema: Required value'],
    },
    {
      name: 'reports errors of a schema that all versions share once for the whole CRD',
      change: { schema: { properties: { a: {} } } },
      then: [
        'spec.validation.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object ' +
          'fields',
      ],
    },
    {
      name: 'validates scale paths',
      change: {
        version: {
          subresources: { scale: { specReplicasPath: '.x', statusReplicasPath: 'status', labelSelectorPath: '.y' } },
        },
      },
      then: [
        'spec.subresources.scale.specReplicasPath: Invalid value: ".x": should be a json path under .spec',
        'spec.subresources.scale.statusReplicasPath: Invalid value: "status": must be a simple json path starting with .',
        'spec.subresources.scale.labelSelectorPath: Invalid value: ".y": should be a json path under either .spec or ' +
          '.status',
      ],
    },
    {
      name: 'validates printer columns',
      change: {
        version: {
          additionalPrinterColumns: [
            { name: '', type: '', format: 'bar', jsonPath: '' },
            { name: 'x', type: 'foo', jsonPath: 'a' },
          ],
        },
      },
      then: [
        'spec.additionalPrinterColumns[0].name: Required value',
        'spec.additionalPrinterColumns[0].type: Required value: must be one of boolean,date,integer,number,string',
        'spec.additionalPrinterColumns[0].format: Invalid value: "bar": must be one of ' +
          'byte,date,date-time,double,float,int32,int64,password',
        'spec.additionalPrinterColumns[0].JSONPath: Required value',
        'spec.additionalPrinterColumns[1].type: Invalid value: "foo": must be one of boolean,date,integer,number,string',
        'spec.additionalPrinterColumns[1].JSONPath: Invalid value: "a": must be a simple json path starting with .',
      ],
    },
    {
      name: 'validates selectable fields',
      change: {
        version: {
          selectableFields: ['.spec.a', '.spec[0]', '.metadata.name', '.spec', '.spec.a', 'spec', '', '.b'].map(
            (jsonPath) => ({ jsonPath }),
          ),
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { a: { type: 'string' } } },
                metadata: { type: 'object', properties: { name: { type: 'string' } } },
              },
            },
          },
        },
      },
      then: [
        'spec.selectableFields[1].jsonPath: Invalid value: ".spec[0]": is an invalid path: array notation is not allowed',
        'spec.selectableFields[2].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata',
        'spec.selectableFields[3].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or ' +
          'integer. Enum string fields and strings with formats are allowed.',
        'spec.selectableFields[4].jsonPath: Duplicate value: ".spec.a"',
        'spec.selectableFields[5].jsonPath: Invalid value: "spec": is an invalid path: expected [ or . but got: spec',
        'spec.selectableFields[6].jsonPath: Required value',
        'spec.selectableFields[7].jsonPath: Invalid value: ".b": is an invalid path: does not refer to a valid field',
      ],
    },
    {
      name: 'validates deprecation warnings',
      change: { version: { deprecationWarning: 'x' } },
      then: ['spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions'],
    },
    {
      name: 'rejects unprintable deprecation warnings',
      change: { version: { deprecated: true, deprecationWarning: 'ä\n' } },
      then: [
        'spec.versions[0].deprecationWarning: Invalid value: "ä\\n": must only contain printable UTF-8 characters; ' +
          'non-printable character found at index 2',
      ],
    },
    {
      name: 'rejects preserveUnknownFields: true on create',
      change: { spec: { preserveUnknownFields: true } },
      then: [
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields ' +
          'to true in spec.versions[*].schema instead',
      ],
    },
    {
      name: 'rejects a nullable root',
      change: { schema: { nullable: true } },
      then: ['spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root'],
    },
    {
      name: 'requires the annotation api-approved.kubernetes.io for protected groups',
      change: { metadata: { name: 'foos.x.k8s.io' }, spec: { group: 'x.k8s.io' } },
      then: [
        'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval ' +
          'annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    },
    {
      name: 'requires a URL or a reason with the prefix unapproved as approval',
      change: {
        metadata: { name: 'foos.k8s.io', annotations: { 'api-approved.kubernetes.io': 'hm' } },
        spec: { group: 'k8s.io' },
      },
      then: [
        'metadata.annotations[api-approved.kubernetes.io]: Invalid value: "hm": protected groups must have approval ' +
          'annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see ' +
          'https://github.com/kubernetes/enhancements/pull/1111',
      ],
    },
    {
      name: 'does not protect *.x-k8s.io',
      change: { metadata: { name: 'foos.cluster.x-k8s.io' }, spec: { group: 'cluster.x-k8s.io' } },
      then: [],
    },
    {
      name: 'rejects conversionReviewVersions without the strategy Webhook',
      change: { spec: { conversion: { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } } } },
      then: [
        'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
      ],
    },
    {
      name: 'requires an https URL',
      change: {
        spec: {
          conversion: {
            strategy: 'Webhook',
            webhook: { clientConfig: { url: 'http://u:p@x/y?z#f' }, conversionReviewVersions: ['v9', 'v9'] },
          },
        },
      },
      then: [
        'spec.conversion.webhookClientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; ' +
          'desired format: https://host[/path]',
        'spec.conversion.webhookClientConfig.url: Invalid value: "u:p": user information is not permitted in the URL',
        'spec.conversion.webhookClientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
        'spec.conversion.webhookClientConfig.url: Invalid value: "z": query parameters are not permitted in the URL',
        'spec.conversion.conversionReviewVersions[1]: Invalid value: "v9": duplicate version',
        'spec.conversion.conversionReviewVersions: Invalid value: ["v9","v9"]: must include at least one of v1, v1beta1',
      ],
    },
    {
      name: 'validates webhook services',
      change: {
        spec: {
          conversion: {
            strategy: 'Webhook',
            webhook: { clientConfig: { service: { name: '', namespace: '', path: 'a//b', port: 99999 } } },
          },
        },
      },
      then: [
        'spec.conversion.webhookClientConfig.service.name: Required value',
        'spec.conversion.webhookClientConfig.service.namespace: Required value',
        'spec.conversion.webhookClientConfig.service.port: Invalid value: 99999: port is not valid: must be between 1 ' +
          'and 65535, inclusive',
        'spec.conversion.webhookClientConfig.service.path: Invalid value: "a//b": must start with a \'/\'',
        'spec.conversion.webhookClientConfig.service.path: Invalid value: "a//b": segment[0] may not be empty',
        'spec.conversion.webhookClientConfig.service.path: Invalid value: "a//b": segment[1] may not be empty',
        'spec.conversion.conversionReviewVersions: Required value',
      ],
    },
    {
      name: 'requires a client config for the strategy Webhook',
      change: { spec: { conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } } } },
      then: ['spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook'],
    },
  ];
  it.each(rows)('$name', ({ change, then }) => {
    expect(problems(change)).toEqual(then);
  });

  it('requires exactly one storage version and unique version names', () => {
    const made = definition();
    made.spec.versions.push({ ...second, name: 'v1', storage: true });
    const texts = validateCustomResourceDefinition(made).map(({ message }) => message.split(': ').at(-1));
    expect(texts).toEqual([
      'must contain unique version names',
      'must have exactly one version marked as storage version',
    ]);
  });

  it('reports errors that differ between versions under the version', () => {
    const made = definition({ schema: { properties: { a: {} } } });
    made.spec.versions.push(second);
    expect(validateCustomResourceDefinition(made).map(({ field }) => field)).toEqual([
      'spec.versions[0].schema.openAPIV3Schema.properties[a].type',
    ]);
  });

  it('restricts the keywords at the root if the status subresource is enabled', () => {
    const [found] = problems({ schema: { minProperties: 1 }, version: { subresources: { status: {} } } });
    expect(found).toMatch(
      /^spec.validation.openAPIV3Schema: Invalid value: .*: only \[Description Type .*XValidations\]/,
    );
    expect(problems({ schema: { minProperties: 1 } })).toEqual([]);
  });

  it('accepts at most 8 selectable fields', () => {
    const names = Array.from({ length: 9 }, (_, index) => `f${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const schema = { openAPIV3Schema: { type: 'object', properties } as Schema };
    const selectableFields = names.map((name) => ({ jsonPath: `.${name}` }));
    expect(problems({ version: { schema, selectableFields } })).toEqual([
      'spec.selectableFields: Too many: 9: must have at most 8 items',
    ]);
  });
});
