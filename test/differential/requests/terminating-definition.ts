import { get, namespace, patch, post, put, remove, type Script } from '../script.js';
import { definition, definitions, established, version } from './definition.js';

const group = '/apis/leaving.example.com/v1';
const things = `${group}/namespaces/leaving/things`;
const thing = (name: string, metadata: object = {}) => ({
  apiVersion: 'leaving.example.com/v1',
  kind: 'Thing',
  metadata: { name, ...metadata },
});
const at = `${definitions}/things.leaving.example.com`;
const crd = definition(
  { plural: 'things', kind: 'Thing' },
  [version('v1', {}, { subresources: { status: {} } })],
  { group: 'leaving.example.com' },
  { name: 'things.leaving.example.com' },
);

/** Deletes a CRD whose instances have finalizers. */
export const terminatingDefinition: Script = {
  name: 'a CRD that is being deleted',
  steps: [
    ...namespace('leaving'),
    post('define things', definitions, crd, { only: 'metadata.name' }),
    { ...established('things'), until: at },
    { name: 'things are served', until: things, status: 200 },
    post('create an object with a finalizer', things, thing('held', { finalizers: ['example.com/hold'] })),
    post('create an object', things, thing('free')),
    remove('delete the CRD', at, undefined, { only: 'metadata.name' }),
    { name: 'the CRD is terminating', until: at, field: 'status.conditions.2.type', equals: 'Terminating' },
    { name: 'objects without finalizers are deleted', until: `${things}/free`, status: 404 },
    get(at, { name: 'conditions of the CRD', only: 'status.conditions' }),
    {
      name: 'discovery lists fewer verbs',
      until: group,
      field: 'resources.0.verbs',
      equals: ['delete', 'deletecollection', 'get', 'list', 'watch'],
    },
    get(group, { name: 'discovery' }),
    post('create an object of a terminating CRD', things, thing('late')),
    put('update an object of a terminating CRD', `${things}/held`, thing('held', { labels: { a: 'b' } })),
    patch('apply', 'apply a new object of a terminating CRD', `${things}/fresh?fieldManager=me`, thing('fresh')),
    patch('merge', 'remove the finalizer', `${things}/held`, { metadata: { finalizers: null } }),
    { name: 'the CRD is deleted', until: at, status: 404 },
  ],
};
