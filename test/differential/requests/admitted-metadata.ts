import { get, namespace, patch, post, put, type Script, type Step } from '../script.js';
import { definition, definitions, established, version } from './definition.js';

const registration = '/apis/admissionregistration.k8s.io/v1';

/** Creates a policy that changes objects with the label `change: <name>`. */
const policy = (name: string, path: string, value: string): readonly Step[] => [
  post(`create policy ${name}`, `${registration}/mutatingadmissionpolicies`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    metadata: { name: `admitted-${name}` },
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['', 'example.com'],
            apiVersions: ['v1'],
            resources: ['configmaps', 'trinkets'],
            operations: ['CREATE', 'UPDATE'],
          },
        ],
      },
      matchConditions: [
        {
          name: 'labelled',
          expression: `has(object.metadata.labels) && 'change' in object.metadata.labels && object.metadata.labels['change'] == '${name}'`,
        },
      ],
      reinvocationPolicy: 'Never',
      mutations: [
        {
          patchType: 'JSONPatch',
          jsonPatch: { expression: `[JSONPatch{op: "add", path: "${path}", value: ${value}}]` },
        },
      ],
    },
  }),
  post(`bind policy ${name}`, `${registration}/mutatingadmissionpolicybindings`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name: `admitted-${name}` },
    spec: { policyName: `admitted-${name}` },
  }),
];

const changes: Readonly<Record<string, readonly [string, string]>> = {
  namespace: ['/metadata/namespace', '"kube-system"'],
  name: ['/metadata/name', '"another"'],
  uid: ['/metadata/uid', '"11111111-1111-1111-1111-111111111111"'],
  deletion: ['/metadata/deletionTimestamp', '"2020-01-01T00:00:00Z"'],
  grace: ['/metadata/deletionGracePeriodSeconds', '7'],
  generation: ['/metadata/generation', '9'],
  creation: ['/metadata/creationTimestamp', '"2020-01-01T00:00:00Z"'],
  version: ['/metadata/resourceVersion', '"1"'],
  probe: ['/metadata/annotations', '{"probe": "yes"}'],
};

const maps = '/api/v1/namespaces/admitted/configmaps';
const trinkets = '/apis/example.com/v1/namespaces/admitted/trinkets';
const map = (name: string, change?: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(change === undefined ? {} : { labels: { change } }) },
});
const trinket = (name: string, change?: string) => ({
  ...map(name, change),
  apiVersion: 'example.com/v1',
  kind: 'Trinket',
});
/** Fields that upstream validates twice on update. It repeats the cause, but not the message. */
const repeated = ['name', 'uid', 'deletion', 'grace'];
const comparing = (name: string): { only?: string } => (repeated.includes(name) ? { only: 'message' } : {});
const names = Object.keys(changes).filter((name) => name !== 'probe');

const written = (kind: string, path: string, object: (name: string, change?: string) => object): readonly Step[] =>
  names.flatMap((name) => [
    post(`create a ${kind} whose ${name} a policy changes`, path, object(`new-${name}`, name)),
    post(`create a plain ${kind} for ${name}`, path, object(`old-${name}`), { save: `${kind}${name}` }),
    patch(
      'merge',
      `patch a ${kind} whose ${name} a policy changes`,
      `${path}/old-${name}`,
      { metadata: { labels: { change: name } } },
      comparing(name),
    ),
    put(
      `update a ${kind} whose ${name} a policy changes`,
      `${path}/old-${name}`,
      {
        ...object(`old-${name}`, name),
        metadata: {
          name: `old-${name}`,
          labels: { change: name },
          resourceVersion: `<<${kind}${name}.metadata.resourceVersion>>`,
        },
      },
      comparing(name),
    ),
    get(`${path}/old-${name}`, { name: `read the ${kind} for ${name}` }),
  ]);

/** Metadata that mutating admission must not change, because it was validated before. */
export const admittedMetadata: Script = {
  name: 'metadata changed by admission',
  steps: [
    ...namespace('admitted'),
    post('define trinkets', definitions, definition({ plural: 'trinkets', kind: 'Trinket' }, [version('v1', {})]), {
      only: 'metadata.name',
    }),
    established('trinkets'),
    { name: 'trinkets are served', until: trinkets, status: 200 },
    ...Object.entries(changes).flatMap(([name, [path, value]]) => policy(name, path, value)),
    {
      name: 'policies are in effect',
      until: `${maps}?dryRun=All`,
      create: { ...map('probe', 'probe') },
      field: 'metadata.annotations.probe',
      equals: 'yes',
    },
    ...written('ConfigMap', maps, map),
    ...written('Trinket', trinkets, trinket),
  ],
};

const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const gadgets = '/apis/example.com/v1/clustergadgets';
const role = (more: object = {}) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'stray', namespace: 'default', ...more },
});
const gadget = (more: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'ClusterGadget',
  metadata: { name: 'stray', namespace: 'default', ...more },
});

export const strayNamespace: Script = {
  name: 'a namespace on cluster-scoped objects',
  steps: [
    post(
      'define clustergadgets',
      definitions,
      definition(
        { plural: 'clustergadgets', kind: 'ClusterGadget' },
        [
          version(
            'v1',
            { status: { type: 'object', properties: { ready: { type: 'boolean' } } } },
            { subresources: { status: {} } },
          ),
        ],
        { scope: 'Cluster' },
      ),
      { only: 'metadata.name' },
    ),
    established('clustergadgets'),
    post('create a ClusterRole', clusterRoles, role(), { save: 'role' }),
    put(
      'update a ClusterRole',
      `${clusterRoles}/stray`,
      role({ resourceVersion: '<<role.metadata.resourceVersion>>' }),
    ),
    patch('merge', 'merge into a ClusterRole', `${clusterRoles}/stray`, { metadata: { namespace: 'default' } }),
    patch('strategic', 'strategically merge into a ClusterRole', `${clusterRoles}/stray`, {
      metadata: { namespace: 'default' },
    }),
    patch('apply', 'apply a ClusterRole', `${clusterRoles}/stray?fieldManager=me&force=true`, role()),
    patch('apply', 'apply a new ClusterRole', `${clusterRoles}/stray-new?fieldManager=me`, role({ name: 'stray-new' })),
    post('create a custom object', gadgets, gadget(), { save: 'gadget' }),
    put(
      'update a custom object',
      `${gadgets}/stray`,
      gadget({ resourceVersion: '<<gadget.metadata.resourceVersion>>' }),
    ),
    put('update the status of a custom object', `${gadgets}/stray/status`, {
      ...gadget({ resourceVersion: '<<gadget.metadata.resourceVersion>>' }),
      status: { ready: true },
    }),
    patch('merge', 'merge into a custom object', `${gadgets}/stray`, { metadata: { namespace: 'default' } }),
    patch('merge', 'merge into the status of a custom object', `${gadgets}/stray/status`, {
      metadata: { namespace: 'x' },
      status: { ready: false },
    }),
    patch('apply', 'apply a custom object', `${gadgets}/stray?fieldManager=me&force=true`, gadget()),
    get(`${gadgets}/stray`),
  ],
};

const dryMaps = '/api/v1/namespaces/dry-runs/configmaps';
const withVersion = (name: string) => ({ ...map(name), metadata: { name, resourceVersion: '5' } });

export const dryRuns: Script = {
  name: 'dry-run creates with a resourceVersion',
  steps: [
    ...namespace('dry-runs'),
    post('create an object', dryMaps, map('present')),
    post('dry-run create with a resourceVersion', `${dryMaps}?dryRun=All`, withVersion('absent')),
    post('create with a resourceVersion', dryMaps, withVersion('absent')),
    post(
      'dry-run create of an existing object with a resourceVersion',
      `${dryMaps}?dryRun=All`,
      withVersion('present'),
    ),
  ],
};

const tableOnly = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

export const noTables: Script = {
  name: 'tables of kinds without one',
  steps: [
    ...namespace('tables'),
    post(
      'review access',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
      },
      { headers: tableOnly },
    ),
    post(
      'request a token',
      '/api/v1/namespaces/tables/serviceaccounts/default/token',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
      { headers: tableOnly, only: 'message' },
    ),
    post('create a Deployment', '/apis/apps/v1/namespaces/tables/deployments', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
      },
    }),
    get('/apis/apps/v1/namespaces/tables/deployments/nothing', { headers: tableOnly }),
    get('/api/v1/namespaces/tables', { headers: tableOnly }),
    get('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', { headers: tableOnly }),
    get('/version', { headers: tableOnly, only: 'major' }),
    get('/api', { headers: tableOnly, only: 'versions' }),
    {
      name: 'delete with Table',
      method: 'DELETE',
      path: '/apis/apps/v1/namespaces/tables/deployments/web',
      headers: tableOnly,
    },
  ],
};
