import { get, namespace, patch, post, put, remove, type Script, type Step, metadataOnly, table } from '../script.js';

const configMaps = '/api/v1/namespaces/lists/configmaps';
const map = (name: string, labels: Record<string, string> = {}, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { list: 'yes', ...labels } },
  data,
});
const mine = 'labelSelector=list%3Dyes';
const create = (name: string, labels: Record<string, string> = {}): Step =>
  post(`create ${name}`, configMaps, map(name, labels));

export const lists: Script = {
  name: 'lists',
  steps: [
    ...namespace('lists'),
    get(`${configMaps}?${mine}`, { name: 'an empty list' }),
    get(`${configMaps}?${mine}`, { name: 'an empty table', headers: table }),
    get('/api/v1/namespaces/lists/pods', { name: 'an empty list of pods' }),
    create('a', { tier: 'one' }),
    create('b', { tier: 'two' }),
    create('c', { tier: 'two', extra: '' }),
    create('d'),
    get(`${configMaps}?${mine}`, { save: 'all' }),
    get(`${configMaps}?labelSelector=list%3Dyes,tier%3Dtwo`),
    get(`${configMaps}?labelSelector=list,tier!%3Dtwo`),
    get(`${configMaps}?labelSelector=list,tier%20in%20(one,two)`),
    get(`${configMaps}?labelSelector=list,tier%20notin%20(one)`),
    get(`${configMaps}?labelSelector=list,!tier`),
    get(`${configMaps}?labelSelector=list,extra`),
    get(`${configMaps}?labelSelector=list,extra%3D`),
    get(`${configMaps}?labelSelector=`, { only: 'items.0.metadata.name' }),
    get(`${configMaps}?fieldSelector=metadata.name%3Da`),
    get(`${configMaps}?fieldSelector=metadata.name!%3Da,metadata.namespace%3Dlists&${mine}`),
    get(`/api/v1/configmaps?fieldSelector=metadata.namespace%3Dlists,metadata.name%3Db`),
    get(`/api/v1/configmaps?fieldSelector=metadata.namespace%3Dnowhere`),
    get(`${configMaps}?limit=2`, { save: 'page1' }),
    get(`${configMaps}?limit=2&continue=<<page1.metadata.continue>>`, { name: 'second page', save: 'page2' }),
    create('between'),
    get(`${configMaps}?limit=2&continue=<<page2.metadata.continue>>`, { name: 'third page of the same snapshot' }),
    get(`${configMaps}?limit=2&continue=<<page1.metadata.continue>>&resourceVersion=1`, {
      name: 'continue with a version',
    }),
    get(`${configMaps}?limit=2&${mine}`, { name: 'a page with a selector' }),
    get(`${configMaps}?limit=0&${mine}`),
    get(`${configMaps}?limit=-1&${mine}`),
    get(`${configMaps}?limit=100`),
    get(`${configMaps}?resourceVersion=0&${mine}`),
    get(`${configMaps}?resourceVersion=0&limit=2`),
    get(`${configMaps}?resourceVersion=<<all.metadata.resourceVersion>>&resourceVersionMatch=Exact&${mine}`, {
      name: 'exactly then',
    }),
    get(`${configMaps}?resourceVersion=<<all.metadata.resourceVersion>>&resourceVersionMatch=NotOlderThan&${mine}`, {
      name: 'not older than then',
    }),
    get(`${configMaps}?resourceVersion=<<all.metadata.resourceVersion>>&${mine}`, { name: 'with a version' }),
    get(`${configMaps}?limit=2`, { name: 'a page as a table', headers: table }),
    get('/api/v1/namespaces?fieldSelector=status.phase%3DTerminating'),
    get('/api/v1/namespaces?fieldSelector=metadata.name%3Dlists'),
    get('/api/v1/namespaces/lists/secrets?fieldSelector=type%3DOpaque'),
    get('/api/v1/namespaces/lists/pods?fieldSelector=spec.nodeName%3D,status.phase%3DPending'),
    get('/api/v1/namespaces/lists/pods?fieldSelector=spec.nothing%3Dx'),
    get('/api/v1/namespaces/lists/events?fieldSelector=involvedObject.name%3Dx,reason%3Dy'),
    get('/api/v1/namespaces/lists/services?fieldSelector=spec.type%3DClusterIP'),
    get('/apis/apps/v1/namespaces/lists/replicasets?fieldSelector=status.replicas%3D0'),
    get('/apis/apps/v1/namespaces/lists/deployments?fieldSelector=spec.x%3D0'),
    get('/apis/batch/v1/namespaces/lists/jobs?fieldSelector=status.successful%3D0'),
    get('/api/v1/nodes?fieldSelector=spec.unschedulable%3Dtrue'),
    get('/apis/certificates.k8s.io/v1/certificatesigningrequests?fieldSelector=spec.signerName%3Dx'),
    { name: 'delete a collection with a selector', method: 'DELETE', path: `${configMaps}?labelSelector=tier%3Dtwo` },
    { name: 'delete an empty collection', method: 'DELETE', path: `${configMaps}?labelSelector=tier%3Dtwo` },
    { name: 'dry delete of a collection', method: 'DELETE', path: `${configMaps}?${mine}&dryRun=All` },
    { name: 'delete a collection with a bad selector', method: 'DELETE', path: `${configMaps}?labelSelector=%3D` },
    get(`${configMaps}?${mine}`, { name: 'what is left' }),
  ],
};

export const watches: Script = {
  name: 'watches',
  steps: [
    ...namespace('watches'),
    post('create a', '/api/v1/namespaces/watches/configmaps', map('a', { tier: 'one' }), { save: 'a' }),
    {
      name: 'life of an object',
      watch: `/api/v1/namespaces/watches/configmaps?watch=true&resourceVersion=<<a.metadata.resourceVersion>>&${mine}`,
      events: 7,
      during: [
        post('w: create b', '/api/v1/namespaces/watches/configmaps', map('b')),
        patch('merge', 'w: change b', '/api/v1/namespaces/watches/configmaps/b', { data: { x: '1' } }),
        patch('merge', 'w: change b to the same', '/api/v1/namespaces/watches/configmaps/b', { data: { x: '1' } }),
        patch('merge', 'w: b leaves the selector', '/api/v1/namespaces/watches/configmaps/b', {
          metadata: { labels: { list: 'no' } },
        }),
        patch('merge', 'w: change b outside', '/api/v1/namespaces/watches/configmaps/b', { data: { x: '2' } }),
        patch('merge', 'w: b comes back', '/api/v1/namespaces/watches/configmaps/b', {
          metadata: { labels: { list: 'yes' } },
        }),
        patch('merge', 'w: a finalizer', '/api/v1/namespaces/watches/configmaps/b', {
          metadata: { finalizers: ['example.com/f'] },
        }),
        remove('w: delete b', '/api/v1/namespaces/watches/configmaps/b'),
        patch('merge', 'w: remove the finalizer', '/api/v1/namespaces/watches/configmaps/b', {
          metadata: { finalizers: null },
        }),
      ],
    },
    {
      name: 'without a version: existing objects, then changes',
      watch: `/api/v1/namespaces/watches/configmaps?watch=true&${mine}`,
      events: 2,
      during: [patch('merge', 'w2: change a', '/api/v1/namespaces/watches/configmaps/a', { data: { y: '1' } })],
    },
    {
      name: 'version zero',
      watch: `/api/v1/namespaces/watches/configmaps?watch=1&resourceVersion=0&${mine}`,
      events: 1,
      during: [],
    },
    {
      name: 'an empty watch parameter',
      watch: `/api/v1/namespaces/watches/configmaps?watch=&resourceVersion=0&${mine}`,
      events: 1,
      during: [],
    },
    {
      name: 'initial events with a bookmark',
      watch: `/api/v1/namespaces/watches/configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&${mine}`,
      events: 2,
      during: [],
    },
    {
      name: 'initial events as metadata',
      watch: `/api/v1/namespaces/watches/configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&${mine}`,
      headers: metadataOnly,
      events: 2,
      during: [],
    },
    {
      name: 'initial events as tables',
      watch: `/api/v1/namespaces/watches/configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&${mine}`,
      headers: table,
      events: 2,
      during: [],
    },
    {
      name: 'no initial events',
      watch: `/api/v1/namespaces/watches/configmaps?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&${mine}`,
      events: 1,
      during: [patch('merge', 'w3: change a', '/api/v1/namespaces/watches/configmaps/a', { data: { z: '1' } })],
    },
    {
      name: 'one object by name',
      watch: '/api/v1/namespaces/watches/configmaps?watch=true&fieldSelector=metadata.name%3Da',
      events: 1,
      during: [],
    },
    {
      name: 'the old path of one object',
      watch: '/api/v1/watch/namespaces/watches/configmaps/a',
      events: 1,
      during: [],
    },
    {
      name: 'the old path of a collection',
      watch: `/api/v1/watch/configmaps?${mine}&fieldSelector=metadata.namespace%3Dwatches`,
      events: 1,
      during: [],
    },
    { name: 'watch on an object', watch: '/api/v1/namespaces/watches/configmaps/a?watch=true', events: 1, during: [] },
    {
      name: 'a stream type in Accept',
      watch: `/api/v1/namespaces/watches/configmaps?watch=true&${mine}`,
      headers: { accept: 'application/json;stream=watch' },
      events: 1,
      during: [],
    },
    {
      name: 'a watch from the beginning of time',
      watch: `/api/v1/namespaces/watches/configmaps?watch=true&resourceVersion=1&timeoutSeconds=2&${mine}`,
      events: 1,
      during: [],
    },
    {
      name: 'as a table, and changes',
      watch: `/api/v1/namespaces/watches/configmaps?watch=true&${mine}`,
      headers: table,
      events: 3,
      during: [
        patch('merge', 'w4: change a', '/api/v1/namespaces/watches/configmaps/a', { data: { q: '1' } }),
        remove('w4: delete a', '/api/v1/namespaces/watches/configmaps/a'),
      ],
    },
    {
      name: 'a timeout closes',
      watch: `/api/v1/namespaces/watches/configmaps?watch=true&timeoutSeconds=1&${mine}`,
      events: 1,
      during: [],
    },
    {
      name: 'a timeout with bookmarks',
      watch: `/api/v1/namespaces/watches/configmaps?watch=true&timeoutSeconds=1&allowWatchBookmarks=true&${mine}`,
      events: 2,
      during: [],
    },
  ],
};

export const deletions: Script = {
  name: 'deletions',
  steps: [
    ...namespace('deletions'),
    post('create', '/api/v1/namespaces/deletions/configmaps', map('a'), { save: 'a' }),
    remove('wrong uid', '/api/v1/namespaces/deletions/configmaps/a', { preconditions: { uid: 'x' } }),
    remove('wrong version', '/api/v1/namespaces/deletions/configmaps/a', { preconditions: { resourceVersion: '1' } }),
    remove('typed options', '/api/v1/namespaces/deletions/configmaps/a', {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid: '<<a.metadata.uid>>' },
    }),
    post('with a finalizer', '/api/v1/namespaces/deletions/configmaps', {
      ...map('f'),
      metadata: { name: 'f', finalizers: ['example.com/f'] },
    }),
    remove('held by its finalizer', '/api/v1/namespaces/deletions/configmaps/f', undefined, { save: 'f' }),
    remove('again', '/api/v1/namespaces/deletions/configmaps/f'),
    post('create over one being deleted', '/api/v1/namespaces/deletions/configmaps', map('f')),
    patch('merge', 'a new finalizer while terminating', '/api/v1/namespaces/deletions/configmaps/f', {
      metadata: { finalizers: ['example.com/f', 'example.com/g'] },
    }),
    patch('merge', 'change data while terminating', '/api/v1/namespaces/deletions/configmaps/f', { data: { x: '1' } }),
    patch('merge', 'take back the deletion', '/api/v1/namespaces/deletions/configmaps/f', {
      metadata: { deletionTimestamp: null },
    }),
    patch('json', 'remove the finalizer', '/api/v1/namespaces/deletions/configmaps/f', [
      { op: 'remove', path: '/metadata/finalizers' },
    ]),
    get('/api/v1/namespaces/deletions/configmaps/f'),
    post('for orphaning', '/api/v1/namespaces/deletions/configmaps', {
      ...map('o'),
      metadata: { name: 'o', finalizers: ['example.com/f'] },
    }),
    remove(
      'orphan',
      '/api/v1/namespaces/deletions/configmaps/o',
      { propagationPolicy: 'Orphan' },
      { only: 'metadata.finalizers' },
    ),
    post('for foreground', '/api/v1/namespaces/deletions/configmaps', {
      ...map('g'),
      metadata: { name: 'g', finalizers: ['example.com/f'] },
    }),
    remove('foreground', '/api/v1/namespaces/deletions/configmaps/g?propagationPolicy=Foreground', undefined, {
      only: 'metadata.finalizers',
    }),
    remove('an unknown policy', '/api/v1/namespaces/deletions/configmaps/g?propagationPolicy=Never'),
    post('owner', '/api/v1/namespaces/deletions/configmaps', map('owner'), { save: 'owner' }),
    post('dependent', '/api/v1/namespaces/deletions/configmaps', {
      ...map('dependent'),
      metadata: {
        name: 'dependent',
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            name: 'owner',
            uid: '<<owner.metadata.uid>>',
            blockOwnerDeletion: true,
          },
        ],
      },
    }),
    remove('background', '/api/v1/namespaces/deletions/configmaps/owner', { propagationPolicy: 'Background' }),
    { name: 'the dependent goes', until: '/api/v1/namespaces/deletions/configmaps/dependent', status: 404 },
    post('owner again', '/api/v1/namespaces/deletions/configmaps', map('owner'), { save: 'owner' }),
    post('dependent again', '/api/v1/namespaces/deletions/configmaps', {
      ...map('dependent'),
      metadata: {
        name: 'dependent',
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '<<owner.metadata.uid>>' }],
      },
    }),
    remove(
      'orphan the dependent',
      '/api/v1/namespaces/deletions/configmaps/owner',
      { propagationPolicy: 'Orphan' },
      { only: 'metadata.finalizers' },
    ),
    { name: 'the owner goes', until: '/api/v1/namespaces/deletions/configmaps/owner', status: 404 },
    get('/api/v1/namespaces/deletions/configmaps/dependent', {
      name: 'the dependent stays, without owner',
      only: 'metadata.ownerReferences',
    }),
    post('a namespace to delete', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'doomed' },
    }),
    { name: 'it has its account', until: '/api/v1/namespaces/doomed/serviceaccounts/default', status: 200 },
    post('content that stays', '/api/v1/namespaces/doomed/configmaps', {
      ...map('stays'),
      metadata: { name: 'stays', finalizers: ['example.com/f'] },
    }),
    remove('delete the namespace', '/api/v1/namespaces/doomed', undefined, { only: 'status' }),
    post('create while terminating', '/api/v1/namespaces/doomed/configmaps', map('late')),
    {
      name: 'the namespace says what remains',
      until: '/api/v1/namespaces/doomed',
      field: 'status.conditions.4.type',
      equals: 'NamespaceFinalizersRemaining',
    },
    get('/api/v1/namespaces/doomed', { name: 'conditions of a terminating namespace', only: 'status' }),
    patch('merge', 'remove the finalizer', '/api/v1/namespaces/doomed/configmaps/stays', {
      metadata: { finalizers: null },
    }),
    { name: 'the namespace goes', until: '/api/v1/namespaces/doomed', status: 404 },
    remove('a namespace that may not go', '/api/v1/namespaces/default'),
    remove('another', '/api/v1/namespaces/kube-system'),
    put('finalize without an object', '/api/v1/namespaces/nowhere/finalize', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'nowhere' },
    }),
    patch(
      'merge',
      'take away the name label',
      '/api/v1/namespaces/deletions',
      { metadata: { labels: null } },
      { only: 'metadata.labels' },
    ),
  ],
};
