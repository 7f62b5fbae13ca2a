import { get, namespace, patch, post, put, type Script } from '../script.js';

const at = '/api/v1/namespaces/apply/configmaps/a';
const services = '/api/v1/namespaces/apply/services';
const deployments = '/apis/apps/v1/namespaces/apply/deployments';
const map = (data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  data,
});
const deployment = (container: object, more: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', ...container }] } },
    ...more,
  },
});

export const apply: Script = {
  name: 'apply',
  steps: [
    ...namespace('apply'),
    patch('apply', 'without a manager', at, map({ x: '1' })),
    patch('apply', 'without a kind', `${at}?fieldManager=one`, { metadata: { name: 'a' } }),
    patch('apply', 'without a name', `${at}?fieldManager=one`, { apiVersion: 'v1', kind: 'ConfigMap' }),
    patch('apply', 'with another name', `${at}?fieldManager=one`, map({}, { name: 'b' })),
    patch(
      'apply',
      'with managed fields',
      `${at}?fieldManager=one`,
      map(
        {},
        {
          managedFields: [{ manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
        },
      ),
    ),
    patch('apply', 'with a uid and nothing there', `${at}?fieldManager=one`, map({}, { uid: 'u' })),
    patch('apply', 'broken YAML', `${at}?fieldManager=one`, 'a: ['),
    patch('apply', 'an unknown field', `${at}?fieldManager=one`, { ...map({}), extra: 1 }),
    patch('apply', 'a wrong type', `${at}?fieldManager=one`, map({ x: 1 })),
    patch(
      'apply',
      'a duplicate key',
      `${at}?fieldManager=one`,
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1","x":"2"}}',
    ),
    patch('apply', 'dry create', `${at}?fieldManager=one&dryRun=All`, map({ x: '1' })),
    patch('apply', 'create', `${at}?fieldManager=one`, map({ x: '1', y: '1' })),
    patch('apply', 'again: no change', `${at}?fieldManager=one`, map({ x: '1', y: '1' })),
    patch('apply', 'drop a field', `${at}?fieldManager=one`, map({ x: '1' })),
    patch('apply', 'the same value by another', `${at}?fieldManager=two`, map({ x: '1', z: '1' })),
    patch('apply', 'conflict with one manager', `${at}?fieldManager=three`, map({ z: '2' })),
    patch('apply', 'conflict with two managers', `${at}?fieldManager=three`, map({ x: '2', z: '2' }), {
      only: 'message',
    }),
    patch('apply', 'force', `${at}?fieldManager=three&force=true`, map({ z: '2' })),
    patch('apply', 'drop a shared field', `${at}?fieldManager=two`, map({})),
    patch('merge', 'update a field of an applier', `${at}?fieldManager=updater`, { data: { x: '5' } }),
    patch('apply', 'conflict with an update', `${at}?fieldManager=one`, map({ x: '6' })),
    patch('apply', 'dry force', `${at}?fieldManager=one&force=true&dryRun=All`, map({ x: '6' })),
    get(at),
    patch(
      'apply',
      'labels and annotations',
      `${at}?fieldManager=meta`,
      map({}, { labels: { a: '1', b: '2' }, annotations: { c: '3' }, finalizers: ['example.com/one'] }),
    ),
    patch(
      'apply',
      'a second finalizer by another',
      `${at}?fieldManager=meta2`,
      map({}, { finalizers: ['example.com/two'] }),
    ),
    patch('apply', 'leave all', `${at}?fieldManager=meta`, map({})),
    patch('apply', 'nothing at all', `${at}?fieldManager=meta2`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
    }),
    patch('merge', 'forget the managers', at, { metadata: { managedFields: [{}] } }),
    patch('apply', 'apply after forgetting', `${at}?fieldManager=one`, map({ x: '9' })),
    patch('apply', 'forced after forgetting', `${at}?fieldManager=one&force=true`, map({ x: '9' })),
    put(
      'managed fields that make no sense',
      at,
      map(
        { x: '9' },
        {
          managedFields: [{ manager: 'x', operation: 'Nope', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
        },
      ),
    ),
    put('an empty list of managers', at, map({ x: '9' }, { managedFields: [] })),
    patch(
      'merge',
      'who is named by the user agent',
      at,
      { data: { agent: '1' } },
      { headers: { 'user-agent': 'my-manager/v1.2 (linux/amd64) x' } },
    ),
    patch(
      'apply',
      'a deployment',
      `${deployments}/web?fieldManager=one`,
      deployment({ image: 'i', ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] }),
    ),
    patch('apply', 'a second container by another', `${deployments}/web?fieldManager=two`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'd', image: 'j' },
              { name: 'c', env: [{ name: 'B', value: '2' }] },
            ],
          },
        },
      },
    }),
    patch('apply', 'conflict in a list by key', `${deployments}/web?fieldManager=two`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        template: { spec: { containers: [{ name: 'c', image: 'other', ports: [{ containerPort: 80, name: 'x' }] }] } },
      },
    }),
    patch(
      'apply',
      'an unknown field in a list',
      `${deployments}/web?fieldManager=one`,
      deployment({ image: 'i', nothing: 1 }),
    ),
    patch(
      'apply',
      'two with one key',
      `${deployments}/web?fieldManager=one`,
      deployment({
        image: 'i',
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      }),
    ),
    patch('apply', 'not valid', `${deployments}/web?fieldManager=one`, deployment({ image: 'i' }, { replicas: -1 })),
    patch('apply', 'status', `${deployments}/web/status?fieldManager=status`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      status: { replicas: 1, conditions: [{ type: 'Available', status: 'True' }] },
    }),
    patch('merge', 'scale', `${deployments}/web/scale?fieldManager=scaler`, { spec: { replicas: 3 } }),
    patch(
      'apply',
      'replicas after a scale',
      `${deployments}/web?fieldManager=one`,
      deployment({ image: 'i', ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] }, { replicas: 2 }),
    ),
    patch('apply', 'apply to scale', `${deployments}/web/scale?fieldManager=applier&force=true`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'web' },
      spec: { replicas: 4 },
    }),
    get(`${deployments}/web`),
    get(`${deployments}/web/scale`),
    patch('strategic', 'strategic patch by name', `${deployments}/web`, {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'd', $patch: 'delete' },
              { name: 'c', image: 'k' },
            ],
          },
        },
      },
    }),
    patch('strategic', 'strategic patch of the order', `${deployments}/web`, {
      spec: {
        template: {
          spec: {
            '$setElementOrder/containers': [{ name: 'e' }, { name: 'c' }],
            containers: [{ name: 'e', image: 'e' }],
          },
        },
      },
    }),
    patch('strategic', 'strategic patch without a key', `${deployments}/web`, {
      spec: { template: { spec: { containers: [{ image: 'k' }] } } },
    }),
    patch('strategic', 'retain keys', `${deployments}/web`, {
      spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
    }),
    patch('apply', 'a service', `${services}/s?fieldManager=one`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports: [{ port: 80, name: 'a' }], selector: { a: 'b' } },
    }),
    patch('apply', 'a second port by another', `${services}/s?fieldManager=two`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports: [{ port: 81, name: 'b', protocol: 'TCP' }] },
    }),
    post(
      'by update, then apply by kubectl',
      '/api/v1/namespaces/apply/configmaps?fieldManager=kubectl-client-side-apply',
      {
        ...map({ k: '1' }),
        metadata: {
          name: 'migrate',
          annotations: {
            'kubectl.kubernetes.io/last-applied-configuration':
              '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"migrate"},"data":{"k":"1"}}\n',
          },
        },
      },
    ),
    patch('apply', 'kubectl takes over', '/api/v1/namespaces/apply/configmaps/migrate?fieldManager=kubectl', {
      ...map({ k: '2' }),
      metadata: { name: 'migrate' },
    }),
  ],
};
