import { get, namespace, patch, post, type Script } from '../script.js';
import { definition, definitions, established, version } from './definition.js';

const doodads = (served: string): string => `/apis/example.com/${served}/namespaces/unserved/doodads`;
const schema = { spec: { type: 'object', properties: { size: { type: 'integer' }, color: { type: 'string' } } } };
const doodad = (served: string, spec: object, more: object = {}) => ({
  apiVersion: `example.com/${served}`,
  kind: 'Doodad',
  metadata: { name: 'a', ...more },
  spec,
});

/** Applies to an object some of whose managedFields entries belong to a version that the CRD no longer serves. */
export const unservedManagers: Script = {
  name: 'managers of a version that is not served',
  steps: [
    ...namespace('unserved'),
    post(
      'define doodads',
      definitions,
      definition({ plural: 'doodads', kind: 'Doodad' }, [
        version('v1', schema),
        version('v1alpha1', schema, { storage: false }),
      ]),
      { only: 'metadata.name' },
    ),
    established('doodads'),
    { name: 'doodads are served', until: doodads('v1alpha1'), status: 200 },
    patch('apply', 'apply at v1alpha1', `${doodads('v1alpha1')}/a?fieldManager=old`, doodad('v1alpha1', { size: 1 })),
    patch('apply', 'apply at v1', `${doodads('v1')}/a?fieldManager=new`, doodad('v1', { color: 'red' })),
    patch(
      'json',
      'stop serving v1alpha1',
      `${definitions}/doodads.example.com`,
      [{ op: 'replace', path: '/spec/versions/1/served', value: false }],
      { only: 'metadata.name' },
    ),
    { name: 'v1alpha1 is not served', until: doodads('v1alpha1'), status: 404 },
    patch(
      'apply',
      'apply at v1 by the same manager',
      `${doodads('v1')}/a?fieldManager=new`,
      doodad('v1', { color: 'blue' }),
    ),
    patch(
      'apply',
      'apply at v1 by the manager of v1alpha1',
      `${doodads('v1')}/a?fieldManager=old`,
      doodad('v1', { size: 2 }),
    ),
    patch(
      'apply',
      'apply at v1 by another manager',
      `${doodads('v1')}/a?fieldManager=third`,
      doodad('v1', { size: 3 }),
    ),
    patch('merge', 'patch at v1', `${doodads('v1')}/a`, { spec: { size: 4 } }, { save: 'patched' }),
    patch('apply', 'apply after a patch', `${doodads('v1')}/a?fieldManager=old&force=true`, doodad('v1', { size: 2 })),
    get(`${doodads('v1')}/a`),
    patch(
      'apply',
      'apply an object of v1alpha1 later removed',
      `${doodads('v1')}/b?fieldManager=new`,
      doodad('v1', { color: 'red' }, { name: 'b' }),
    ),
    patch(
      'json',
      'serve v1alpha1 again',
      `${definitions}/doodads.example.com`,
      [{ op: 'replace', path: '/spec/versions/1/served', value: true }],
      { only: 'metadata.name' },
    ),
    { name: 'v1alpha1 is served again', until: doodads('v1alpha1'), status: 200 },
    patch(
      'apply',
      'apply b at v1alpha1',
      `${doodads('v1alpha1')}/b?fieldManager=old`,
      doodad('v1alpha1', { size: 1 }, { name: 'b' }),
    ),
    patch(
      'apply',
      'apply c at v1alpha1',
      `${doodads('v1alpha1')}/c?fieldManager=old`,
      doodad('v1alpha1', { size: 1 }, { name: 'c' }),
    ),
    patch(
      'json',
      'remove v1alpha1',
      `${definitions}/doodads.example.com`,
      [{ op: 'remove', path: '/spec/versions/1' }],
      { only: 'metadata.name' },
    ),
    { name: 'v1alpha1 is removed', until: doodads('v1alpha1'), status: 404 },
    patch('merge', 'patch b at v1', `${doodads('v1')}/b`, { spec: { size: 4 } }),
    patch(
      'apply',
      'apply b at v1 by another manager',
      `${doodads('v1')}/b?fieldManager=third`,
      doodad('v1', { color: 'green' }, { name: 'b' }),
    ),
    patch(
      'apply',
      'apply b at v1 by the manager of v1alpha1',
      `${doodads('v1')}/b?fieldManager=old`,
      doodad('v1', { size: 1 }, { name: 'b' }),
    ),
    get(`${doodads('v1')}/b`),
    patch(
      'apply',
      'apply c at v1 by the manager of v1alpha1',
      `${doodads('v1')}/c?fieldManager=old`,
      doodad('v1', { size: 2 }, { name: 'c' }),
    ),
    get(`${doodads('v1')}/c`, { save: 'c' }),
    post('create a ConfigMap with managers of unknown versions', '/api/v1/namespaces/unserved/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'm',
        managedFields: [
          {
            manager: 'x',
            operation: 'Update',
            apiVersion: 'v9',
            time: '2020-01-01T00:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:a': {} } },
          },
        ],
      },
      data: { a: 'b' },
    }),
    patch('apply', 'apply to it', '/api/v1/namespaces/unserved/configmaps/m?fieldManager=me', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'm' },
      data: { c: 'd' },
    }),
    patch(
      'apply',
      'apply a field of the manager of an unknown version',
      '/api/v1/namespaces/unserved/configmaps/m?fieldManager=me',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { a: 'd' } },
    ),
  ],
};
