import { get, namespace, patch, post, put, type Script } from '../script.js';

const signingRequest = 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';
const as = (user: string, ...groups: string[]) => ({
  'impersonate-user': user,
  ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
});
const core = '/api/v1/namespaces/access';
const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/access';
const review = (kind: string, spec: object, groupName = 'authorization.k8s.io') => ({
  apiVersion: `${groupName}/v1`,
  kind,
  spec,
});

export const access: Script = {
  name: 'access',
  steps: [
    ...namespace('access'),
    get(`${core}/pods`, { name: 'forbidden list', headers: as('jane') }),
    get(`${core}/pods/x`, { name: 'forbidden get', headers: as('jane') }),
    get('/api/v1/nodes', { name: 'forbidden at cluster scope', headers: as('jane') }),
    get('/api/v1/nodes/x', { name: 'forbidden object at cluster scope', headers: as('jane') }),
    post(
      'forbidden create',
      `${core}/configmaps`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } },
      { headers: as('jane') },
    ),
    patch(
      'apply',
      'forbidden apply',
      `${core}/configmaps/x?fieldManager=m`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } },
      { headers: as('jane') },
    ),
    { name: 'forbidden delete of a collection', method: 'DELETE', path: `${core}/configmaps`, headers: as('jane') },
    get('/apis/apps/v1/namespaces/access/deployments/x/scale', { name: 'forbidden subresource', headers: as('jane') }),
    get('/metrics', { name: 'forbidden path', headers: as('jane') }),
    get('/nothing', { name: 'forbidden before not found', headers: as('jane') }),
    get('/apis/nothing.example.com/v1/things', { name: 'forbidden unknown resource', headers: as('jane') }),
    get('/api', { name: 'discovery for everyone', headers: as('jane', 'system:authenticated') }),
    get(`${core}/pods`, { name: 'anonymous', anonymous: true }),
    get(`${core}/pods`, { name: 'a bad token', anonymous: true, headers: { authorization: 'Bearer nonsense' } }),
    get('/version', {
      name: 'a bad token on a public path',
      anonymous: true,
      headers: { authorization: 'Bearer nonsense' },
    }),
    get(`${core}/pods`, { name: 'groups without a user', headers: { 'impersonate-group': 'g' } }),
    get(`${core}/pods`, { name: 'a uid without a user', headers: { 'impersonate-uid': 'u' } }),
    get(`${core}/pods`, { name: 'extra without a user', headers: { 'impersonate-extra-a': 'u' } }),
    post(
      'who am I',
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      { headers: { 'impersonate-user': 'jane', 'impersonate-group': 'g', 'impersonate-extra-Scopes': 'x' } },
    ),
    post(
      'who is a service account',
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      { headers: as('system:serviceaccount:access:default') },
    ),
    post(
      'may I',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      review('SelfSubjectAccessReview', {
        resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'access' },
      }),
    ),
    post(
      'may jane',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      review('SubjectAccessReview', {
        user: 'jane',
        resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'access' },
      }),
    ),
    post(
      'may jane see a path',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      review('SubjectAccessReview', {
        user: 'jane',
        groups: ['system:authenticated'],
        nonResourceAttributes: { verb: 'get', path: '/version' },
      }),
      { only: 'status.allowed' },
    ),
    post(
      'a review of nothing',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      review('SubjectAccessReview', { user: 'jane' }),
    ),
    post(
      'a review of both',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      review('SubjectAccessReview', { resourceAttributes: {}, nonResourceAttributes: {} }),
    ),
    post(
      'a local review',
      '/apis/authorization.k8s.io/v1/namespaces/access/localsubjectaccessreviews',
      review('LocalSubjectAccessReview', {
        user: 'jane',
        resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'access' },
      }),
    ),
    post(
      'a local review of elsewhere',
      '/apis/authorization.k8s.io/v1/namespaces/access/localsubjectaccessreviews',
      review('LocalSubjectAccessReview', {
        user: 'jane',
        resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'other' },
      }),
    ),
    post(
      'my rules',
      '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      review('SelfSubjectRulesReview', { namespace: 'access' }),
      { headers: as('jane'), only: 'status.resourceRules' },
    ),
    post(
      'my rules nowhere',
      '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      review('SelfSubjectRulesReview', {}),
    ),
    post(
      'a review of a bad token',
      '/apis/authentication.k8s.io/v1/tokenreviews',
      review('TokenReview', { token: 'nonsense' }, 'authentication.k8s.io'),
    ),
    post(
      'a review of no token',
      '/apis/authentication.k8s.io/v1/tokenreviews',
      review('TokenReview', {}, 'authentication.k8s.io'),
    ),
    get('/apis/authentication.k8s.io/v1/tokenreviews', { name: 'reviews cannot be listed' }),
    post('a role', `${roles}/roles`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'reader' },
      rules: [
        { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'patch'] },
        { apiGroups: [''], resources: ['secrets'], resourceNames: ['one'], verbs: ['get', 'list', 'watch', 'create'] },
      ],
    }),
    post('a binding', `${roles}/rolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'User', name: 'jane' }],
    }),
    { name: 'the binding counts', until: `${core}/configmaps`, status: 200, headers: as('jane') },
    get(`${core}/configmaps?labelSelector=none`, { name: 'allowed list', headers: as('jane') }),
    get('/api/v1/configmaps', { name: 'not in all namespaces', headers: as('jane') }),
    get(`${core}/secrets/one`, { name: 'a secret by name', headers: as('jane') }),
    get(`${core}/secrets/two`, { name: 'another secret', headers: as('jane') }),
    get(`${core}/secrets?fieldSelector=metadata.name%3Done`, { name: 'a list of one name', headers: as('jane') }),
    get(`${core}/secrets`, { name: 'a list of all names', headers: as('jane') }),
    patch(
      'apply',
      'apply needs create as well',
      `${core}/configmaps/x?fieldManager=m`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } },
      { headers: as('jane') },
    ),
    post(
      'may jane list',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      review('SubjectAccessReview', {
        user: 'jane',
        resourceAttributes: { verb: 'list', resource: 'configmaps', namespace: 'access' },
      }),
    ),
    post(
      'the rules of jane',
      '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      review('SelfSubjectRulesReview', { namespace: 'access' }),
      { headers: as('jane', 'system:authenticated'), only: 'status.resourceRules' },
    ),
    post('a role editor', `${roles}/roles`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'editor' },
      rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: ['*'] }],
    }),
    post('bound to joe', `${roles}/rolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'editor' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'editor' },
      subjects: [{ kind: 'User', name: 'joe' }],
    }),
    { name: 'the second binding counts', until: `${roles}/roles`, status: 200, headers: as('joe') },
    post(
      'escalation by a role',
      `${roles}/roles`,
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'more' },
        rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] }],
      },
      { headers: as('joe') },
    ),
    post(
      'escalation by a binding',
      `${roles}/rolebindings`,
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: 'more' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
        subjects: [{ kind: 'User', name: 'joe' }],
      },
      { headers: as('joe') },
    ),
    post(
      'a binding to no role',
      `${roles}/rolebindings`,
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: 'more' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'absent' },
        subjects: [{ kind: 'User', name: 'joe' }],
      },
      { headers: as('joe') },
    ),
    patch('merge', 'another role for a binding', `${roles}/rolebindings/editor`, { roleRef: { name: 'reader' } }),
    get('/apis/rbac.authorization.k8s.io/v1/clusterroles/view', { only: 'aggregationRule' }),
    get('/apis/rbac.authorization.k8s.io/v1/clusterroles/system:discovery', { only: 'rules' }),
    get('/apis/rbac.authorization.k8s.io/v1/clusterroles/system:kube-scheduler', { only: 'rules' }),
    get('/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node', { only: 'rules' }),
    get('/apis/rbac.authorization.k8s.io/v1/clusterroles/system:aggregate-to-view', { only: 'rules' }),
    get('/apis/rbac.authorization.k8s.io/v1/clusterroles/system:aggregate-to-edit', { only: 'rules' }),
    get('/apis/rbac.authorization.k8s.io/v1/clusterroles/system:aggregate-to-admin', { only: 'rules' }),
    post(
      'a token',
      `${core}/serviceaccounts/default/token`,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [], expirationSeconds: 700 } },
      { save: 'token' },
    ),
    post('a token that ends too soon', `${core}/serviceaccounts/default/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 10 },
    }),
    post('a token of a missing ServiceAccount', `${core}/serviceaccounts/absent/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    }),
    post('a token bound to nothing', `${core}/serviceaccounts/default/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'absent' } },
    }),
    post('a token bound to a strange thing', `${core}/serviceaccounts/default/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } },
    }),
    post(
      'the token is reviewed',
      '/apis/authentication.k8s.io/v1/tokenreviews',
      review('TokenReview', { token: '<<token.status.token>>' }, 'authentication.k8s.io'),
    ),
    post(
      'the token for another audience',
      '/apis/authentication.k8s.io/v1/tokenreviews',
      review('TokenReview', { token: '<<token.status.token>>', audiences: ['other'] }, 'authentication.k8s.io'),
    ),
    post(
      'the token says who',
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      { anonymous: true, headers: { authorization: 'Bearer <<token.status.token>>' } },
    ),
    get(`${core}/pods`, {
      name: 'the token is not enough',
      anonymous: true,
      headers: { authorization: 'Bearer <<token.status.token>>' },
    }),
    get('/.well-known/openid-configuration'),
    post('an invalid signing request', '/apis/certificates.k8s.io/v1/certificatesigningrequests', {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'bad' },
      spec: { request: signingRequest, signerName: 'x', usages: [] },
    }),
    get('/api/v1/namespaces/kube-public/configmaps/cluster-info', {
      name: 'cluster-info before anything',
      anonymous: true,
    }),
    post(
      'a bootstrap token',
      '/api/v1/namespaces/kube-system/secrets',
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'bootstrap-token-abcdef' },
        type: 'bootstrap.kubernetes.io/token',
        stringData: {
          'token-id': 'abcdef',
          'token-secret': '0123456789abcdef',
          'usage-bootstrap-authentication': 'true',
          'auth-extra-groups': 'system:bootstrappers:x',
        },
      },
      { only: 'type' },
    ),
    {
      name: 'the bootstrap token counts',
      until: '/api',
      status: 200,
      anonymous: true,
      headers: { authorization: 'Bearer abcdef.0123456789abcdef' },
    },
    post(
      'a bootstrap token says who',
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      { anonymous: true, headers: { authorization: 'Bearer abcdef.0123456789abcdef' } },
    ),
    put('finalize is for namespaces', `${core}/configmaps/x/finalize`, {}),
  ],
};
