import type { Schema } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { configMaps, widgets } from '../test-support.js';
import { buildDocument } from './build-document.js';

interface Document {
  readonly paths: Record<string, Record<string, Record<string, unknown>>>;
  readonly definitions: Record<string, Record<string, unknown>>;
  readonly components: { readonly schemas: Record<string, Record<string, unknown>> };
}

function build(dialect: 'v2' | 'v3', schema: Schema, definition = widgets): Document {
  const version = { ...(definition.versions[0] as (typeof definition.versions)[number]), schema };
  return buildDocument(dialect, [{ definition, version }], 'v1.36.3') as Document;
}

const spec = (node: Schema): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { x: node } } },
});

function field(document: Document): unknown {
  const schemas = document.components?.schemas ?? document.definitions;
  const kind = schemas['com.example.v1.Widget'] as { properties: { spec: { properties: { x: unknown } } } };
  return kind.properties.spec.properties.x;
}

describe('OpenAPI of custom resources', () => {
  it('adds `apiVersion`, `kind` and `metadata` ($ref ObjectMeta) to every CRD kind', () => {
    const document = build('v3', { type: 'object', properties: { metadata: { type: 'object' } } });
    expect(document.components.schemas['com.example.v1.Widget']).toMatchObject({
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: {
          allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
          description: 'Standard metadata of the object.',
        },
      },
      'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Widget' }],
    });
    expect(document.components.schemas).toHaveProperty(['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta']);
    expect(document.components.schemas['com.example.v1.WidgetList']).toMatchObject({ required: ['items'] });
  });

  const rows: { name: string; node: Schema; v2: unknown; v3: unknown }[] = [
    {
      name: 'omits type and children of `nullable: true` fields',
      node: {
        type: 'object',
        nullable: true,
        description: 'd',
        properties: { a: { type: 'string' } },
        required: ['a'],
      },
      v2: { description: 'd' },
      v3: { type: 'object', nullable: true, description: 'd', properties: { a: { type: 'string' } }, required: ['a'] },
    },
    {
      name: 'omits the type of `x-kubernetes-int-or-string`',
      node: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      v2: { 'x-kubernetes-int-or-string': true },
      v3: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    },
    {
      name: 'omits type and properties of `x-kubernetes-preserve-unknown-fields` in v2',
      node: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
      v2: { 'x-kubernetes-preserve-unknown-fields': true },
      v3: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
    },
    {
      name: 'omits defaults in v2 only',
      node: { type: 'string', default: 'a' },
      v2: { type: 'string' },
      v3: { type: 'string', default: 'a' },
    },
    {
      name: 'keeps list extensions',
      node: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      v2: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      v3: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    },
  ];
  it.each(rows)('$name', ({ node, v2, v3 }) => {
    expect(field(build('v2', spec(node)))).toEqual(v2);
    expect(field(build('v3', spec(node)))).toEqual(v3);
  });

  it('keeps only `type: object` at the root', () => {
    const document = build('v2', {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { type: 'string' } },
    });
    expect(document.definitions['com.example.v1.Widget']).toEqual({
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Widget' }],
    });
  });

  it('describes every field of ObjectMeta', () => {
    const { schemas } = build('v3', { type: 'object' }).components;
    const { properties } = schemas['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'] as { properties: Schema[] };
    const described = Object.entries(properties).filter(([, { description }]) => description !== undefined);
    expect(described.map(([name]) => name)).toEqual(Object.keys(properties));
  });

  it('adds the same fields to embedded resources', () => {
    expect(
      field(
        build(
          'v3',
          spec({ type: 'object', 'x-kubernetes-embedded-resource': true, properties: { data: { type: 'object' } } }),
        ),
      ),
    ).toMatchObject({
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { allOf: [{ $ref: expect.stringContaining('ObjectMeta') as string }] },
        data: {},
      },
    });
  });

  it('sets `x-kubernetes-action` and `x-kubernetes-group-version-kind` on each operation, and a fieldValidation parameter on PATCH', () => {
    const { paths } = build('v3', { type: 'object' });
    expect(Object.keys(paths)).toEqual([
      '/apis/example.com/v1/widgets',
      '/apis/example.com/v1/namespaces/{namespace}/widgets',
      '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}',
      '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/status',
      '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/scale',
    ]);
    expect(paths['/apis/example.com/v1/namespaces/{namespace}/widgets/{name}']?.['patch']).toMatchObject({
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: 'example.com', version: 'v1', kind: 'Widget' },
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'fieldValidation' })]) as unknown[],
    });
  });
});

describe('OpenAPI of built-in kinds', () => {
  it('refers to shared types by name, even recursive ones', () => {
    const props: { -readonly [K in keyof Schema]: Schema[K] } = { type: 'object', refName: 'io.k8s.Props' };
    props.properties = {
      not: props,
      items: { ...props, description: 'of items', 'x-kubernetes-patch-strategy': 'merge' },
    };
    const schema: Schema = { refName: 'io.k8s.api.core.v1.ConfigMap', type: 'object', properties: { props } };
    const document = build('v3', schema, configMaps);
    expect(document.components.schemas['io.k8s.api.core.v1.ConfigMap']).toMatchObject({
      properties: { props: { $ref: '#/components/schemas/io.k8s.Props' } },
    });
    expect(document.components.schemas['io.k8s.Props']).toMatchObject({
      properties: {
        not: { $ref: '#/components/schemas/io.k8s.Props' },
        items: {
          allOf: [{ $ref: '#/components/schemas/io.k8s.Props' }],
          description: 'of items',
          'x-kubernetes-patch-strategy': 'merge',
        },
      },
    });
  });
});
