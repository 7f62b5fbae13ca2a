import { get, namespace, patch, post, put, remove, type Script, table } from '../script.js';
import { definition, definitions, established, version } from './definition.js';

const widgets = '/apis/example.com/v1/namespaces/definitions/widgets';
const widget = (name: string, spec: unknown, more: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
  ...more,
});

const widgetSchema = {
  spec: {
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: 'integer', minimum: 1, maximum: 10 },
      color: { type: 'string', enum: ['red', 'green'], default: 'red' },
      pattern: { type: 'string', pattern: '^a+$', maxLength: 5 },
      note: { type: 'string', nullable: true },
      port: { 'x-kubernetes-int-or-string': true },
      ratio: { type: 'number' },
      on: { type: 'boolean' },
      when: { type: 'string', format: 'date-time' },
      free: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { known: { type: 'object', properties: { a: { type: 'string' } } } },
      },
      items: {
        type: 'array',
        maxItems: 3,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string' },
            value: { type: 'integer' },
            mode: { type: 'string', default: 'fast' },
          },
        },
      },
      tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      plain: { type: 'array', items: { type: 'string' } },
      template: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      nested: { type: 'object', default: {}, properties: { depth: { type: 'integer', default: 3 } } },
      map: { type: 'object', additionalProperties: { type: 'integer' } },
      fixed: {
        type: 'string',
        'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed is immutable' }],
      },
      low: { type: 'integer' },
      high: { type: 'integer' },
      whole: {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        properties: {
          fixed: {
            type: 'string',
            'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'part of a whole is immutable' }],
          },
          free: { type: 'string' },
        },
      },
      wholeMap: {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        maxProperties: 5,
        additionalProperties: {
          type: 'string',
          'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'entry of a whole is immutable' }],
        },
      },
    },
    'x-kubernetes-validations': [
      {
        rule: '!has(self.low) || !has(self.high) || self.low < self.high',
        messageExpression: "'low is not below high'",
        fieldPath: '.low',
      },
    ],
  },
  status: {
    type: 'object',
    properties: {
      replicas: { type: 'integer' },
      selector: { type: 'string' },
      conditions: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
        items: {
          type: 'object',
          required: ['type'],
          properties: { type: { type: 'string' }, status: { type: 'string' } },
        },
      },
    },
  },
};

const widgetVersion = version('v1', widgetSchema, {
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.size',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  additionalPrinterColumns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1, description: 'its colour' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'When', type: 'date', jsonPath: '.spec.when' },
    { name: 'Tags', type: 'string', jsonPath: '.spec.tags' },
  ],
  selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }],
});

const names = { plural: 'widgets', kind: 'Widget', shortNames: ['wd'], categories: ['all'] };

/** Invalid objects with one error each, because upstream reports several errors in no particular order. */
const wrong = [
  { color: 'blue' },
  { pattern: 'bbb' },
  { pattern: 'aaaaaaa' },
  { port: true },
  { ratio: 'x' },
  { on: 1 },
  { when: 'today' },
  { items: [{}] },
  { items: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }] },
  { tags: ['a', 'a'] },
  { map: { one: 'x' } },
  { template: {} },
  { plain: [null] },
];

export const customResources: Script = {
  name: 'custom resources',
  steps: [
    ...namespace('definitions'),
    post('create the definition', definitions, definition(names, [widgetVersion])),
    established('widgets'),
    get(`${definitions}/widgets.example.com`, { save: 'crd' }),
    get(definitions, { name: 'definitions as a table', headers: table }),
    { name: 'its group is discovered', until: '/apis/example.com/v1', status: 200 },
    get('/apis/example.com'),
    get('/apis/example.com/v1'),
    get('/apis/example.com/v2'),
    get('/apis/example.com/v1/nothings'),
    { name: 'its schema is published', until: '/openapi/v3/apis/example.com/v1', status: 200 },
    {
      name: 'its version is registered',
      until: '/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com',
      status: 200,
    },
    get('/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com', { only: 'spec' }),
    { name: 'the resource is served', until: widgets, status: 200 },
    get(widgets, { name: 'an empty list' }),
    post('create', widgets, widget('a', { size: 1, low: 1, high: 2 }, { status: { replicas: 3 } }), { save: 'a' }),
    get(`${widgets}/a`),
    get(`${widgets}/a`, { name: 'as a table', headers: table }),
    get(`${widgets}/absent`),
    post(
      'everything',
      widgets,
      widget('b', {
        size: 2,
        color: 'green',
        pattern: 'aaa',
        note: null,
        port: '80%',
        ratio: 1.5,
        on: true,
        when: '2024-01-02T03:04:05Z',
        free: { any: { thing: [1, { x: null }] }, known: { a: 'x', b: 'pruned' } },
        items: [
          { name: 'x', value: 1 },
          { name: 'y', mode: 'slow' },
        ],
        tags: ['p', 'q'],
        plain: ['x', 'x'],
        template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'in' }, data: { a: 'b' } },
        nested: {},
        map: { one: 1 },
        fixed: 'f',
        unknown: { a: 1 },
      }),
    ),
    post(
      'strict',
      `${widgets}?fieldValidation=Strict`,
      widget('s', { size: 1, unknown: 1, items: [{ name: 'x', q: 1 }] }, { other: 1 }),
    ),
    post(
      'strict about what is embedded',
      `${widgets}?fieldValidation=Strict`,
      widget('s', { size: 1, template: { apiVersion: 'v1', kind: 'X', metadata: { extra: 1 } } }),
    ),
    post(
      'strict with duplicates',
      `${widgets}?fieldValidation=Strict`,
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"s","bad":1},"spec":{"size":1,"size":2,"unknown":1}}',
    ),
    post(
      'warnings',
      widgets,
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"warned","bad":1},"spec":{"size":1,"size":2,"unknown":1}}',
    ),
    ...wrong.map((spec) => post(`wrong: ${JSON.stringify(spec)}`, widgets, widget('w', { size: 1, ...spec }))),
    post(
      'too small, a rule and a duplicate key',
      widgets,
      widget('w', { size: 0, low: 2, high: 1, items: [{ name: 'x' }, { name: 'x' }] }),
    ),
    post('rules only', widgets, widget('w', { size: 1, low: 2, high: 1 })),
    post('without a spec', widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'nospec' } }),
    post('a null that is required', widgets, widget('w', { size: null })),
    post('an object that is a list', widgets, widget('w', { size: 1, nested: [] })),
    post('a float for an integer', widgets, widget('w', { size: 1, low: 1.5 })),
    post(
      'large numbers',
      widgets,
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"large"},"spec":{"size":1,"free":{"n":9007199254740993,"f":1.0,"e":1e3},"ratio":1.50}}',
    ),
    post('another kind', widgets, { ...widget('w', { size: 1 }), kind: 'Gadget' }),
    post('another version', widgets, { ...widget('w', { size: 1 }), apiVersion: 'example.com/v2' }),
    post('no kind', widgets, { metadata: { name: 'w' }, spec: { size: 1 } }),
    post('a bad name', widgets, widget('Not_A_Name', { size: 1 })),
    post('an unqualified finalizer', widgets, {
      ...widget('fin', { size: 1 }),
      metadata: { name: 'fin', finalizers: ['plain'] },
    }),
    post('bad metadata', widgets, { ...widget('w', { size: 1 }), metadata: { name: 'w', labels: { a: 1 } } }),
    post('as YAML', widgets, 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: yaml}\nspec: {size: 3}\n', {
      headers: { 'content-type': 'application/yaml' },
    }),
    get(`${widgets}/a`, { name: 'wants protobuf', headers: { accept: 'application/vnd.kubernetes.protobuf' } }),
    put('update without a version', `${widgets}/a`, widget('a', { size: 2 })),
    put('update of an absent one', `${widgets}/zz`, {
      ...widget('zz', { size: 2 }),
      metadata: { name: 'zz', resourceVersion: '1' },
    }),
    put(
      'update',
      `${widgets}/a`,
      {
        ...widget('a', { size: 2, fixed: 'x' }),
        metadata: { name: 'a', resourceVersion: '<<a.metadata.resourceVersion>>' },
      },
      { save: 'a2' },
    ),
    put('update with a stale version', `${widgets}/a`, '<<a>>'),
    put('no change', `${widgets}/a`, '<<a2>>'),
    patch('merge', 'a transition rule', `${widgets}/a`, { spec: { fixed: 'y' } }),
    patch('merge', 'atomic maps', `${widgets}/a`, { spec: { whole: { fixed: 'x', free: '1' }, wholeMap: { a: 'x' } } }),
    patch('merge', 'a transition rule in an atomic map', `${widgets}/a`, { spec: { whole: { fixed: 'y' } } }),
    patch('merge', 'a transition rule for entries of an atomic map', `${widgets}/a`, {
      spec: { wholeMap: { a: 'y' } },
    }),
    patch('merge', 'what the rules of atomic maps allow', `${widgets}/a`, {
      spec: { whole: { free: '2' }, wholeMap: { a: null, b: 'z' } },
    }),
    patch('merge', 'no more atomic maps', `${widgets}/a`, { spec: { whole: null, wholeMap: null } }),
    patch('merge', 'merge patch', `${widgets}/a`, { spec: { note: 'n', nested: { depth: 5 } } }),
    patch('merge', 'a null default', `${widgets}/a`, { spec: { color: null, note: null } }),
    patch('merge', 'unknown fields by patch', `${widgets}/a`, { spec: { unknown: 1 } }),
    patch('merge', 'unknown fields by patch, strict', `${widgets}/a?fieldValidation=Strict`, { spec: { unknown: 1 } }),
    patch('merge', 'a wrong type by patch', `${widgets}/a`, { spec: { low: 'x' } }),
    patch('strategic', 'strategic patch', `${widgets}/a`, {}),
    patch('json', 'JSON patch', `${widgets}/a`, [{ op: 'add', path: '/spec/tags', value: ['t'] }]),
    put('status by update', `${widgets}/a/status`, {
      ...widget(
        'a',
        { size: 9 },
        { status: { replicas: 2, selector: 'a=b', conditions: [{ type: 'Ready', status: 'True' }] } },
      ),
      metadata: { name: 'a', labels: { a: 'b' }, resourceVersion: '' },
    }),
    patch('merge', 'status by patch', `${widgets}/a/status`, {
      metadata: { labels: { a: 'b' } },
      spec: { size: 9 },
      status: { replicas: 2, selector: 'a=b', conditions: [{ type: 'Ready', status: 'True' }] },
    }),
    patch('merge', 'duplicate conditions', `${widgets}/a/status`, {
      status: { conditions: [{ type: 'Ready' }, { type: 'Ready' }] },
    }),
    patch('merge', 'status by the main door', `${widgets}/a`, { status: { replicas: 7 } }),
    get(`${widgets}/a/status`),
    get(`${widgets}/a/scale`),
    patch('merge', 'scale', `${widgets}/a/scale`, { spec: { replicas: 4 } }),
    patch('merge', 'scale beyond the schema', `${widgets}/a/scale`, { spec: { replicas: 40 } }),
    put('scale by update', `${widgets}/a/scale`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a' },
      spec: { replicas: 5 },
    }),
    patch('merge', 'scale below zero', `${widgets}/a/scale`, { spec: { replicas: -1 } }),
    get(`${widgets}/nospec/scale`),
    get(widgets),
    get(widgets, { name: 'list as a table', headers: table }),
    get(`${widgets}?fieldSelector=spec.color%3Dgreen`),
    get(`${widgets}?fieldSelector=spec.size%3D2`, { name: 'select an integer' }),
    get(`${widgets}?fieldSelector=spec.low%3D2`),
    get(`${widgets}?limit=1`),
    patch(
      'apply',
      'apply',
      `${widgets}/applied?fieldManager=one`,
      widget('applied', {
        size: 1,
        items: [{ name: 'x', value: 1 }],
        tags: ['a'],
        plain: ['p'],
        free: { any: { a: 1 } },
      }),
    ),
    patch(
      'apply',
      'apply by another',
      `${widgets}/applied?fieldManager=two`,
      widget('applied', { size: 1, items: [{ name: 'y', value: 2 }], tags: ['b'], free: { any: { b: 1 } } }),
    ),
    patch(
      'apply',
      'apply in conflict',
      `${widgets}/applied?fieldManager=two`,
      widget('applied', { size: 2, items: [{ name: 'x', value: 2 }], plain: ['q'] }),
    ),
    patch('apply', 'apply less', `${widgets}/applied?fieldManager=one`, widget('applied', { size: 1, tags: ['a'] })),
    patch(
      'apply',
      'apply an unknown field',
      `${widgets}/applied?fieldManager=one`,
      widget('applied', { size: 1, unknown: 1 }),
    ),
    patch('apply', 'apply what is not valid', `${widgets}/applied?fieldManager=one`, widget('applied', { size: 100 })),
    patch('apply', 'apply status', `${widgets}/applied/status?fieldManager=status`, {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'applied' },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    }),
    remove('delete', `${widgets}/b`),
    remove('delete with a finalizer', `${widgets}/fin`),
    patch('merge', 'remove the finalizer', `${widgets}/fin`, { metadata: { finalizers: [] } }),
    { name: 'delete the collection', method: 'DELETE', path: `${widgets}?fieldSelector=metadata.name%3Dyaml` },
  ],
};
