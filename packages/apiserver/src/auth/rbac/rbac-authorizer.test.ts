import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccessRequest, UserInfo } from '../../contract/index.js';
import { forbiddenMessage, forbiddenRequest } from '../forbidden-request.js';
import { FakeStore } from '../memory-store-fake.js';
import { bootstrapPolicy } from './bootstrap-policy.js';
import type { PolicyRule } from './policy-rule.js';
import { RbacAuthorizer } from './rbac-authorizer.js';
import { RbacIndex, rbacStorage } from './rbac-index.js';

const apiVersion = 'rbac.authorization.k8s.io/v1';

function clusterRole(name: string, rules: readonly PolicyRule[]): object {
  return { apiVersion, kind: 'ClusterRole', metadata: { name }, rules };
}

function role(namespace: string, name: string, rules: readonly PolicyRule[]): object {
  return { apiVersion, kind: 'Role', metadata: { name, namespace }, rules };
}

function subjectOf(text: string): object {
  const [kind = '', path = ''] = text.split(' ');
  if (kind !== 'ServiceAccount') return { kind, name: path, apiGroup: 'rbac.authorization.k8s.io' };
  const [namespace, name] = path.includes('/') ? path.split('/') : [undefined, path];
  return { kind, name, ...(namespace ? { namespace } : {}) };
}

function clusterBinding(name: string, roleName: string, ...subjects: string[]): object {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleName };
  return { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects: subjects.map(subjectOf) };
}

function binding(namespace: string, name: string, kind: string, roleName: string, ...subjects: string[]): object {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name: roleName };
  return { apiVersion, kind: 'RoleBinding', metadata: { name, namespace }, roleRef, subjects: subjects.map(subjectOf) };
}

const store = new FakeStore();
const policy = bootstrapPolicy();
for (const object of policy.clusterRoles) store.put(rbacStorage.clusterRoles, object);
for (const object of policy.clusterRoleBindings) store.put(rbacStorage.clusterRoleBindings, object);
for (const object of policy.roles) store.put(rbacStorage.roles, object);
for (const object of policy.roleBindings) store.put(rbacStorage.roleBindings, object);
const read = ['get', 'list', 'watch'];
store.put(rbacStorage.clusterRoles, clusterRole('pod-reader', [{ verbs: read, apiGroups: [''], resources: ['pods'] }]));
store.put(rbacStorage.clusterRoles, clusterRole('all-apps', [{ verbs: ['*'], apiGroups: ['apps'], resources: ['*'] }]));
store.put(rbacStorage.clusterRoles, clusterRole('any-group', [{ verbs: ['get'], apiGroups: ['*'], resources: ['x'] }]));
store.put(
  rbacStorage.clusterRoles,
  clusterRole('scaler', [{ verbs: ['update'], apiGroups: ['apps'], resources: ['*/scale'] }]),
);
store.put(
  rbacStorage.clusterRoles,
  clusterRole('slash-star', [{ verbs: ['get'], apiGroups: [''], resources: ['pods/*'] }]),
);
store.put(
  rbacStorage.clusterRoles,
  clusterRole('urls', [{ verbs: ['get'], nonResourceURLs: ['/metrics', '/debug/*', '/a/**'] }]),
);
store.put(
  rbacStorage.clusterRoles,
  clusterRole('one-secret', [
    {
      verbs: ['get', 'list', 'watch', 'create', 'delete'],
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: ['s'],
    },
  ]),
);
store.put(
  rbacStorage.roles,
  role('dev', 'cm-editor', [{ verbs: ['update'], apiGroups: [''], resources: ['configmaps'] }]),
);
store.put(rbacStorage.clusterRoleBindings, clusterBinding('readers', 'pod-reader', 'User jane', 'Group devs'));
store.put(rbacStorage.clusterRoleBindings, clusterBinding('apps', 'all-apps', 'User adam'));
store.put(rbacStorage.clusterRoleBindings, clusterBinding('any', 'any-group', 'User adam'));
store.put(rbacStorage.clusterRoleBindings, clusterBinding('scale', 'scaler', 'User scott'));
store.put(rbacStorage.clusterRoleBindings, clusterBinding('star', 'slash-star', 'User stan'));
store.put(rbacStorage.clusterRoleBindings, clusterBinding('url', 'urls', 'User ursula'));
store.put(rbacStorage.clusterRoleBindings, clusterBinding('secret', 'one-secret', 'User sven'));
store.put(rbacStorage.clusterRoleBindings, clusterBinding('bot', 'pod-reader', 'ServiceAccount ci/robot'));
store.put(rbacStorage.clusterRoleBindings, clusterBinding('lost', 'absent', 'User lotte'));
store.put(
  rbacStorage.roleBindings,
  binding('dev', 'editors', 'Role', 'cm-editor', 'User emma', 'ServiceAccount robot'),
);
store.put(rbacStorage.roleBindings, binding('dev', 'views', 'ClusterRole', 'pod-reader', 'User vera'));
store.put(rbacStorage.roleBindings, binding('dev', 'gone', 'Role', 'nothing', 'User lotte'));
store.put(rbacStorage.roleBindings, binding('dev', 'urls', 'ClusterRole', 'urls', 'User emma'));
store.put(rbacStorage.clusterRoleBindings, clusterBinding('proto', 'pod-reader', 'User __proto__'));
const authorizer = new RbacAuthorizer(RbacIndex.follow(store));

function accessRequestOf(question: string): AccessRequest {
  const [subject = '', verb = '', target = '', scope = '', name = ''] = question.split(' ');
  const [username = '', groupText] = subject.split('@');
  const user: UserInfo = { username, groups: groupText ? groupText.split('+') : [] };
  if (target.startsWith('/')) return { user, verb, path: target };
  const [path = '', group = ''] = target.split('.');
  const [resource = '', subresource = ''] = path.split('/');
  const namespace = scope === '-' ? '' : scope;
  return { user, verb, resource: { group, version: 'v1', resource, subresource, namespace, name } };
}

/** Format of each question: user[@groups] verb resource[/sub][.group] namespace|- name */
const rows: [question: string, allowed: boolean, reason?: string][] = [
  [
    'jane get pods - p',
    true,
    'RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "pod-reader" to User "jane"',
  ],
  ['jane list pods dev', true],
  ['jane watch pods -', true],
  ['jane delete pods dev p', false, ''],
  ['jane get pods/log dev p', false],
  ['jane get pods.other dev p', false],
  ['jane get secrets dev s', false],
  ['Jane get pods dev p', false],
  [
    'x@devs get pods dev p',
    true,
    'RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "pod-reader" to Group "devs"',
  ],
  ['x@dev get pods dev p', false],
  ['devs get pods dev p', false],
  ['x@jane get pods dev p', false],
  ['adam create deployments.apps dev d', true],
  ['adam delete deployments/scale.apps dev d', true],
  ['adam deletecollection statefulsets.apps -', true],
  ['adam frobnicate anything.apps -', true],
  ['adam get pods dev p', false],
  ['adam get x.whatever -', true],
  ['adam get x -', true],
  ['adam get x/status.whatever -', false],
  ['scott update deployments/scale.apps dev d', true],
  ['scott update anything/scale.apps - d', true],
  ['scott update deployments.apps dev d', false],
  ['scott update deployments/scales.apps dev d', false],
  ['scott patch deployments/scale.apps dev d', false],
  ['stan get pods/log dev p', false],
  ['stan get pods/* dev p', true],
  ['ursula get /metrics', true, 'RBAC: allowed by ClusterRoleBinding "url" of ClusterRole "urls" to User "ursula"'],
  ['ursula get /metrics/slis', false],
  ['ursula get /debug/pprof', true],
  ['ursula get /debug/', true],
  ['ursula get /debug', false],
  ['ursula get /a/', true],
  ['ursula post /metrics', false],
  ['ursula get metrics -', false],
  ['sven get secrets dev s', true],
  ['sven get secrets dev t', false],
  ['sven delete secrets dev s', true],
  ['sven create secrets dev', false],
  ['sven list secrets dev', false],
  ['sven list secrets dev s', true],
  ['sven watch secrets dev s', true],
  ['sven deletecollection secrets dev', false],
  [
    'system:serviceaccount:ci:robot get pods dev p',
    true,
    'RBAC: allowed by ClusterRoleBinding "bot" of ClusterRole "pod-reader" to ServiceAccount "robot/ci"',
  ],
  ['system:serviceaccount:dev:robot get pods dev p', false],
  [
    'system:serviceaccount:dev:robot update configmaps dev c',
    true,
    'RBAC: allowed by RoleBinding "editors/dev" of Role "cm-editor" to ServiceAccount "robot/dev"',
  ],
  ['system:serviceaccount:ci:robot update configmaps dev c', false],
  [
    'emma update configmaps dev c',
    true,
    'RBAC: allowed by RoleBinding "editors/dev" of Role "cm-editor" to User "emma"',
  ],
  ['emma update configmaps prod c', false],
  ['emma update configmaps - c', false],
  ['emma get /metrics', false],
  ['vera get pods dev p', true, 'RBAC: allowed by RoleBinding "views/dev" of ClusterRole "pod-reader" to User "vera"'],
  ['vera get pods prod p', false],
  ['vera list pods -', false],
  ['lotte get pods - p', false, 'RBAC: clusterrole.rbac.authorization.k8s.io "absent" not found'],
  [
    'lotte get pods dev p',
    false,
    'RBAC: [clusterrole.rbac.authorization.k8s.io "absent" not found, role.rbac.authorization.k8s.io "nothing" not found]',
  ],
  ['root@system:masters anything whatever.x dev n', true, ''],
  ['root@system:masters delete /anything', true, ''],
  ['root@system:master delete /anything', false],
  ['__proto__ get pods dev p', true],
  ['constructor get pods dev p', false],
  ['x@system:authenticated get /api', true],
  ['x@system:authenticated get /apis/apps/v1', true],
  ['x@system:authenticated get /openapi/v3', true],
  ['x@system:authenticated get /version', true],
  ['x@system:authenticated create selfsubjectaccessreviews.authorization.k8s -', false],
  ['system:anonymous@system:unauthenticated get /readyz', true],
  ['system:anonymous@system:unauthenticated get /version/', true],
  ['system:anonymous@system:unauthenticated get /api', false],
  ['system:anonymous@system:unauthenticated get /metrics', false],
  ['system:kube-controller-manager list secrets -', true],
  ['system:kube-scheduler create pods/binding dev p', true],
  ['system:kube-scheduler get configmaps kube-system extension-apiserver-authentication', true],
  ['system:kube-scheduler get configmaps kube-system other', false],
  ['system:serviceaccount:kube-system:token-cleaner delete secrets kube-system bootstrap-token-abcdef', true],
  ['system:serviceaccount:kube-system:bootstrap-signer update configmaps kube-public cluster-info', true],
  ['system:node:n@system:nodes get nodes - n', false],
];

describe('RBAC authorizer', () => {
  it('has a table of at least sixty rows', () => expect(rows.length).toBeGreaterThanOrEqual(60));

  it.each(rows)('decides %s → %s', (question, allowed, reason) => {
    const decision = authorizer.authorize(accessRequestOf(question));
    expect(decision.allowed).toBe(allowed);
    expect(decision.reason).toBe(reason ?? decision.reason);
  });

  it('allows basic users to create self subject reviews', () => {
    const user = { username: 'x', groups: ['system:authenticated'] };
    const resource = { version: 'v1', subresource: '', namespace: '', name: '' };
    for (const [group, name] of [
      ['authorization.k8s.io', 'selfsubjectaccessreviews'],
      ['authorization.k8s.io', 'selfsubjectrulesreviews'],
      ['authentication.k8s.io', 'selfsubjectreviews'],
    ] as const)
      expect(
        authorizer.authorize({ user, verb: 'create', resource: { ...resource, group, resource: name } }).allowed,
      ).toBe(true);
  });

  it('never authorizes create by `resourceNames`; list needs fieldSelector metadata.name [61]', () => {
    expect(authorizer.authorize(accessRequestOf('sven create secrets dev')).allowed).toBe(false);
    expect(authorizer.authorize(accessRequestOf('sven list secrets dev')).allowed).toBe(false);
    expect(authorizer.authorize(accessRequestOf('sven list secrets dev s')).allowed).toBe(true);
  });

  it('checks `patch` and `create` separately for an apply that creates the object [62]', () => {
    const local = new FakeStore();
    const rule = { verbs: ['patch'], apiGroups: [''], resources: ['configmaps'] };
    local.put(rbacStorage.clusterRoles, clusterRole('patcher', [rule]));
    local.put(rbacStorage.clusterRoleBindings, clusterBinding('b', 'patcher', 'User u'));
    const own = new RbacAuthorizer(RbacIndex.follow(local));
    expect(own.authorize(accessRequestOf('u patch configmaps dev c')).allowed).toBe(true);
    expect(own.authorize(accessRequestOf('u create configmaps dev')).allowed).toBe(false);
  });

  it('applies a changed or deleted role or binding immediately', () => {
    const local = new FakeStore();
    const index = RbacIndex.follow(local);
    const own = new RbacAuthorizer(index);
    const may = (): boolean => own.authorize(accessRequestOf('u get pods dev p')).allowed;
    expect(may()).toBe(false);
    local.put(rbacStorage.clusterRoles, clusterRole('r', [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }]));
    local.put(rbacStorage.roleBindings, binding('dev', 'b', 'ClusterRole', 'r', 'User u', 'User u', 'User v'));
    expect(may()).toBe(true);
    local.put(rbacStorage.roleBindings, binding('dev', 'b', 'ClusterRole', 'r', 'User v'));
    expect(may()).toBe(false);
    local.put(rbacStorage.roleBindings, binding('dev', 'b', 'ClusterRole', 'r', 'User u'));
    expect(may()).toBe(true);
    local.put(rbacStorage.clusterRoles, clusterRole('r', []));
    expect(may()).toBe(false);
    local.put(rbacStorage.clusterRoles, clusterRole('r', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]));
    expect(may()).toBe(true);
    local.remove(rbacStorage.clusterRoles, '', 'r');
    expect(may()).toBe(false);
    local.put(rbacStorage.clusterRoles, clusterRole('r', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]));
    local.remove(rbacStorage.roleBindings, 'dev', 'b');
    expect(may()).toBe(false);
    index.dispose();
    local.put(rbacStorage.roleBindings, binding('dev', 'b', 'ClusterRole', 'r', 'User u'));
    expect(may()).toBe(false);
  });

  it('agrees with a linear scan of all bindings', () => {
    const word = fc.constantFrom<string>('a', 'b', '*', 'c');
    const words = fc.array(word, { minLength: 1, maxLength: 2 });
    const resource = fc.constantFrom<string>('p', 'p/s', '*', '*/s', 'q', 'q/*');
    const rule = fc.record({
      verbs: words,
      apiGroups: words,
      resources: fc.array(resource, { minLength: 1, maxLength: 2 }),
      resourceNames: fc.array(fc.constantFrom<string>('n', 'm'), { maxLength: 1 }),
    });
    const request = fc.record({
      verb: fc.constantFrom<string>('a', 'b', 'd'),
      resource: fc.record({
        group: fc.constantFrom<string>('a', 'b', 'd'),
        version: fc.constant('v1'),
        resource: fc.constantFrom<string>('p', 'q'),
        subresource: fc.constantFrom<string>('', 's', 't'),
        namespace: fc.constantFrom<string>('', 'x'),
        name: fc.constantFrom<string>('', 'n', 'm'),
      }),
    });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), request, (rules, question) => {
        const local = new FakeStore();
        rules.forEach((each, index) => {
          local.put(rbacStorage.clusterRoles, clusterRole(`r${index}`, [each]));
          local.put(rbacStorage.clusterRoleBindings, clusterBinding(`b${index}`, `r${index}`, 'User u'));
        });
        const requested = question.resource;
        const combined =
          requested.subresource === '' ? requested.resource : `${requested.resource}/${requested.subresource}`;
        const expected = rules.some(
          (each) =>
            [question.verb, '*'].some((verb) => each.verbs.includes(verb)) &&
            [requested.group, '*'].some((group) => each.apiGroups.includes(group)) &&
            (each.resources.includes('*') ||
              each.resources.includes(combined) ||
              (requested.subresource !== '' && each.resources.includes(`*/${requested.subresource}`))) &&
            (each.resourceNames.length === 0 || each.resourceNames.includes(requested.name)),
        );
        const user = { username: 'u', groups: [] };
        expect(new RbacAuthorizer(RbacIndex.follow(local)).authorize({ user, ...question }).allowed).toBe(expected);
      }),
    );
  });

  it('authorizes a user with dozens of bindings within microseconds', () => {
    const local = new FakeStore();
    const resources = Array.from({ length: 20 }, (_, index) => `things${index}`);
    for (let index = 0; index < 60; index += 1) {
      const rules = resources.map((name) => ({ verbs: read, apiGroups: [`g${index}`], resources: [name] }));
      local.put(rbacStorage.clusterRoles, clusterRole(`r${index}`, rules));
      local.put(
        rbacStorage.clusterRoleBindings,
        clusterBinding(`b${index}`, `r${index}`, 'User u', `User other${index}`),
      );
    }
    const own = new RbacAuthorizer(RbacIndex.follow(local));
    const question = accessRequestOf('u delete things7.g59 dev n');
    for (let index = 0; index < 5000; index += 1) own.authorize(question);
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5; round += 1) {
      // Measure the CPU time of this process, which does not depend on other load on the host.
      const before = process.cpuUsage();
      for (let index = 0; index < 2000; index += 1) own.authorize(question);
      best = Math.min(best, process.cpuUsage(before).user / 2000);
    }
    // Typically 7 microseconds per check. Only a lookup whose cost grows with the number of bindings exceeds this limit.
    expect(best).toBeLessThan(100);
  });
});

describe('the forbidden message', () => {
  it.each([
    ['u get secrets ns s', 'User "u" cannot get resource "secrets" in API group "" in the namespace "ns"'],
    ['u list pods -', 'User "u" cannot list resource "pods" in API group "" at the cluster scope'],
    ['u get pods/log ns p', 'User "u" cannot get resource "pods/log" in API group "" in the namespace "ns"'],
    ['u get /metrics', 'User "u" cannot get path "/metrics"'],
    ['a"b get /x', 'User "a\\"b" cannot get path "/x"'],
  ])('%s', (question, text) => expect(forbiddenMessage(accessRequestOf(question))).toBe(text));

  it('names the object and escapes HTML', () => {
    const error = forbiddenRequest(accessRequestOf('<b> get secrets ns s'));
    expect(error.message).toBe(
      'secrets "s" is forbidden: User "&lt;b&gt;" cannot get resource "secrets" in API group "" in the namespace "ns"',
    );
    expect(error.code).toBe(403);
    expect(error.details).toEqual({ name: 's', kind: 'secrets' });
    expect(forbiddenRequest(accessRequestOf('u get /x')).message).toBe('forbidden: User "u" cannot get path "/x"');
  });
});
