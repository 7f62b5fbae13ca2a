import { get, namespace, patch, post, put, remove, type Script } from '../script.js';
import { definition, definitions, established, version } from './definition.js';

const gadgets = (served: string) => `/apis/example.com/${served}/namespaces/versions/gadgets`;
const gadgetNames = { plural: 'gadgets', kind: 'Gadget' };
const gadgetSpec = (b: object) => ({
  spec: {
    type: 'object',
    properties: { a: { type: 'string' }, n: { type: 'integer', maximum: 5 }, b: { type: 'string', ...b } },
  },
});
const v1 = version('v1', gadgetSpec({}));
const v2 = version('v2', gadgetSpec({ default: 'two' }), { storage: false });
const v1beta1 = version(
  'v1beta1',
  { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  { storage: false, deprecated: true },
);

const late = { apiVersion: 'example.com/v2', kind: 'Gadget', metadata: { name: 'late' } };

export const definitionVersions: Script = {
  name: 'definition versions',
  steps: [
    ...namespace('versions'),
    post('create', definitions, definition(gadgetNames, [v1beta1, v1, v2])),
    established('gadgets'),
    { name: 'its versions are discovered', until: '/apis/example.com', field: 'versions.2.version', equals: 'v1beta1' },
    { name: 'gadgets are served', until: gadgets('v1'), status: 200 },
    get('/apis/example.com', { name: 'order of versions', only: 'versions' }),
    post('create at v1', gadgets('v1'), {
      apiVersion: 'example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'a' },
      spec: { a: 'x', n: 5 },
    }),
    get(`${gadgets('v2')}/a`),
    get(`${gadgets('v1beta1')}/a`),
    get(gadgets('v1beta1')),
    patch('apply', 'apply at v2', `${gadgets('v2')}/a?fieldManager=one`, {
      apiVersion: 'example.com/v2',
      kind: 'Gadget',
      metadata: { name: 'a' },
      spec: { b: 'y' },
    }),
    patch('merge', 'update at v2', `${gadgets('v2')}/a`, { spec: { a: 'z' } }),
    patch('apply', 'apply at v1', `${gadgets('v1')}/a?fieldManager=one`, {
      apiVersion: 'example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'a' },
      spec: { n: 4 },
    }),
    get(`${gadgets('v1')}/a`),
    patch('json', 'tighten the schema', `${definitions}/gadgets.example.com`, [
      { op: 'replace', path: '/spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/n/maximum', value: 3 },
    ]),
    { name: 'the tighter schema is in force', until: `${gadgets('v1')}/a`, status: 200 },
    patch(
      'json',
      'store v2',
      `${definitions}/gadgets.example.com`,
      [
        { op: 'replace', path: '/spec/versions/1/storage', value: false },
        { op: 'replace', path: '/spec/versions/2/storage', value: true },
      ],
      { only: 'status.storedVersions' },
    ),
    patch('json', 'remove a stored version', `${definitions}/gadgets.example.com`, [
      { op: 'remove', path: '/spec/versions/1' },
    ]),
    patch(
      'merge',
      'stored versions by the main door',
      `${definitions}/gadgets.example.com`,
      { status: { storedVersions: ['v2'] } },
      { only: 'status.storedVersions' },
    ),
    patch(
      'merge',
      'stored versions by status',
      `${definitions}/gadgets.example.com/status`,
      { status: { storedVersions: ['v2'] } },
      { only: 'status.storedVersions' },
    ),
    patch(
      'json',
      'stop serving v1',
      `${definitions}/gadgets.example.com`,
      [{ op: 'replace', path: '/spec/versions/1/served', value: false }],
      { only: 'spec.versions.1.served' },
    ),
    { name: 'v1 is gone', until: gadgets('v1'), status: 404 },
    patch('merge', 'change the scope', `${definitions}/gadgets.example.com`, { spec: { scope: 'Cluster' } }),
    patch('merge', 'change the kind', `${definitions}/gadgets.example.com`, { spec: { names: { kind: 'Gizmo' } } }),
    put('definition without a version', `${definitions}/gadgets.example.com`, definition(gadgetNames, [v1])),
    post('a definition whose names are taken', definitions, definition({ plural: 'gizmos', kind: 'Gadget' }, [v1])),
    {
      name: 'names are accepted or rejected',
      until: `${definitions}/gizmos.example.com`,
      field: 'status.conditions.0.reason',
      equals: 'ListKindConflict',
    },
    get(`${definitions}/gizmos.example.com`, { name: 'a conflict of names', only: 'status' }),
    remove('delete the conflicting one', `${definitions}/gizmos.example.com`, undefined, { only: 'kind' }),
    patch(
      'merge',
      'an instance that stays',
      `${gadgets('v2')}/a`,
      { metadata: { finalizers: ['example.com/f'] } },
      { only: 'metadata.finalizers' },
    ),
    remove('delete the definition', `${definitions}/gadgets.example.com`, undefined, { only: 'metadata.finalizers' }),
    {
      name: 'it terminates',
      until: `${definitions}/gadgets.example.com`,
      field: 'status.conditions.2.type',
      equals: 'Terminating',
    },
    { name: 'nothing is created any more', until: `${gadgets('v2')}?dryRun=All`, create: late, status: 405 },
    post('create while terminating', gadgets('v2'), late),
    post('create the definition again', definitions, definition(gadgetNames, [v1])),
    {
      name: 'the instance is being deleted',
      until: `${gadgets('v2')}/a`,
      field: 'metadata.deletionGracePeriodSeconds',
      equals: 0,
    },
    patch('merge', 'let the instance go', `${gadgets('v2')}/a`, { metadata: { finalizers: null } }, { only: 'kind' }),
    { name: 'the definition goes', until: `${definitions}/gadgets.example.com`, status: 404 },
    { name: 'the resource goes', until: gadgets('v2'), status: 404 },
  ],
};
