import { get, namespace, patch, post, put, remove, type RequestStep, type Script } from '../script.js';

const media = 'application/vnd.kubernetes.protobuf';
const protobuf = { accept: media };
/** The headers of a typed Go client. */
const either = { accept: `${media},application/json` };
const metadata = { accept: `${media};as=PartialObjectMetadata;g=meta.k8s.io;v=v1` };
const metadataList = { accept: `${media};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1` };
const table = { accept: `${media};as=Table;g=meta.k8s.io;v=v1` };

const core = '/api/v1/namespaces/protobuf';
const maps = `${core}/configmaps`;
const deployments = '/apis/apps/v1/namespaces/protobuf/deployments';
const widgets = '/apis/protobuf.example.com/v1/namespaces/protobuf/widgets';

const map = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { of: 'protobuf' } },
  data,
  binaryData: { bytes: 'AAH/' },
});

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'web' } },
    strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '10%' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'web:1',
            args: ['ü', ''],
            env: [{ name: 'A' }, { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            ports: [{ containerPort: 80 }],
            resources: { requests: { cpu: '100m', memory: '1.5Gi' } },
            livenessProbe: { httpGet: { port: 'http' } },
            securityContext: { runAsUser: 0, privileged: false },
          },
        ],
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 's', secret: { secretName: 's', defaultMode: 256 } },
        ],
        tolerations: [{ key: 'k', operator: 'Exists', tolerationSeconds: 0 }],
      },
    },
  },
};

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.protobuf.example.com' },
  spec: {
    group: 'protobuf.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
                  notes: { type: 'object', additionalProperties: { type: 'string', default: 'none', maxLength: 8 } },
                  shape: { type: 'string', enum: ['round', 'square'], default: 'round' },
                },
              },
            },
          },
        },
      },
    ],
  },
};

const read = (name: string, path: string, headers: Readonly<Record<string, string>>): RequestStep =>
  get(path, { name, headers });

const objectSteps: readonly RequestStep[] = [
  post('create', maps, map('a', { x: '1' }), { headers: protobuf }),
  post('create again', maps, map('a', {}), { headers: protobuf }),
  read('get', `${maps}/a`, protobuf),
  read('get as Go clients ask', `${maps}/a`, either),
  read('get, JSON preferred', `${maps}/a`, { accept: `application/json,${media}` }),
  read('get nothing', `${maps}/none`, either),
  read('list', `${maps}?labelSelector=of=protobuf`, protobuf),
  read('list nothing', `${maps}?labelSelector=of=nothing`, protobuf),
  read('a page', '/api/v1/namespaces?limit=1&labelSelector=kubernetes.io/metadata.name', protobuf),
  read('metadata', `${maps}/a`, metadata),
  read('metadata of a list', `${maps}?labelSelector=of=protobuf`, metadataList),
  read('a table', `${maps}/a`, table),
  read('a table or JSON', `${maps}/a`, { accept: `${table.accept},application/json;as=Table;v=v1;g=meta.k8s.io` }),
  put('update', `${maps}/a`, map('a', { x: '2' }), { headers: protobuf }),
  patch('merge', 'patch', `${maps}/a`, { data: { y: '3' } }, { headers: protobuf }),
  patch('json', 'a refused patch', `${maps}/a`, [{ op: 'test', path: '/data/x', value: '9' }], { headers: protobuf }),
  patch('apply', 'apply', `${maps}/b?fieldManager=m`, map('b', { z: '1' }), { headers: protobuf }),
  put('not valid', `${maps}/a`, { ...map('a', {}), data: { 'no/key': '' } }, { headers: protobuf }),
  remove('delete', `${maps}/a`, undefined, { headers: protobuf }),
  remove('delete the collection', `${maps}?labelSelector=of=protobuf`, undefined, { headers: protobuf }),
  { name: 'forbidden', path: `${core}/secrets`, headers: protobuf, anonymous: true },
  read('an unknown resource', '/api/v1/namespaces/protobuf/nothings', protobuf),
  read('an unknown version of the view', `${maps}`, {
    accept: `${media};as=PartialObjectMetadataList;g=meta.k8s.io;v=v2`,
  }),
];

const kindSteps: readonly RequestStep[] = [
  post('create a deployment', deployments, deployment, { headers: protobuf }),
  read('get a deployment', `${deployments}/web`, protobuf),
  read('list deployments', deployments, protobuf),
  read('its scale', `${deployments}/web/scale`, protobuf),
  read('a service account', `${core}/serviceaccounts/default`, protobuf),
  get('/apis/rbac.authorization.k8s.io/v1/clusterroles/view', {
    name: 'a cluster role',
    headers: protobuf,
    only: 'aggregationRule',
  }),
  get('/apis/apiregistration.k8s.io/v1/apiservices/v1.apps', {
    name: 'a local API service',
    headers: protobuf,
    only: 'spec',
  }),
  post(
    'an access review',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    },
    { headers: protobuf, only: 'status.allowed' },
  ),
  post(
    'a lease',
    '/apis/coordination.k8s.io/v1/namespaces/protobuf/leases',
    {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { holderIdentity: 'me', renewTime: '2001-02-03T04:05:06.000007Z', leaseDurationSeconds: 15 },
    },
    { headers: protobuf },
  ),
];

const customSteps: readonly RequestStep[] = [
  post('create a widget', widgets, { apiVersion: 'protobuf.example.com/v1', kind: 'Widget', metadata: { name: 'w' } }),
  read('a widget', `${widgets}/w`, protobuf),
  read('a widget as Go clients ask', `${widgets}/w`, either),
  read('no such widget', `${widgets}/none`, either),
  read('widgets', widgets, protobuf),
  read('metadata of a widget', `${widgets}/w`, metadata),
  read('metadata of widgets', widgets, metadataList),
  remove('delete a widget', `${widgets}/w`, undefined, { headers: either }),
];

/** Requests responses in protobuf, which are decoded and compared with those of kube-apiserver. */
export const protobufAnswers: Script = {
  name: 'protobuf',
  steps: [
    ...namespace('protobuf'),
    ...objectSteps,
    ...kindSteps,
    post('create a definition', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition),
    { name: 'widgets are served', until: widgets, status: 200 },
    read(
      'the definition',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.protobuf.example.com',
      protobuf,
    ),
    ...customSteps,
    read('a group', '/apis/protobuf.example.com', protobuf),
    read('its resources', '/apis/protobuf.example.com/v1', protobuf),
    {
      name: 'a watch',
      watch: `${maps}?watch=true&labelSelector=of=watch&timeoutSeconds=20`,
      headers: protobuf,
      during: [
        post('watched create', maps, { ...map('w', {}), metadata: { name: 'w', labels: { of: 'watch' } } }),
        patch('merge', 'watched patch', `${maps}/w`, { data: { a: 'b' } }),
        remove('watched delete', `${maps}/w`),
      ],
      events: 3,
    },
    {
      name: 'a watch with initial events',
      watch: `${core}/configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=20`,
      headers: either,
      during: [],
      events: 2,
    },
    {
      name: 'a watch of metadata',
      watch: `${deployments}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=20`,
      headers: metadata,
      during: [],
      events: 2,
    },
    {
      name: 'a watch that is too old',
      watch: `${maps}?watch=true&resourceVersion=1&timeoutSeconds=5`,
      headers: protobuf,
      during: [],
      events: 0,
    },
    read('a watch of widgets', `${widgets}?watch=true&timeoutSeconds=1`, protobuf),
  ],
};
