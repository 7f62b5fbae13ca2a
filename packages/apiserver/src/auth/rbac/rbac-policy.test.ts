import type { Frozen, KubeObject } from '@slipway/kube';
import { alreadyExists, StatusError } from '@slipway/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WriteContext } from '../../registry/index.js';
import { FakeStore } from '../memory-store-fake.js';
import { aggregatedRules, selectorMatches } from './aggregation.js';
import { bootstrapPolicy } from './bootstrap-policy.js';
import { compactRules, formatRule, uncoveredRules } from './covers.js';
import type { PolicyRule } from './policy-rule.js';
import { RbacAuthorizer } from './rbac-authorizer.js';
import { RbacIndex, rbacStorage } from './rbac-index.js';
import { createRbacStrategies } from './rbac-strategies.js';
import { planPolicyChange, type PolicyWriter, reconcilePolicy } from './reconcile-policy.js';

const rbac = 'rbac.authorization.k8s.io';
const apiVersion = `${rbac}/v1`;
const store = new FakeStore();
const pods: PolicyRule = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };

function clusterRole(name: string, rules: readonly PolicyRule[], extra: object = {}): KubeObject {
  return { apiVersion, kind: 'ClusterRole', metadata: { name }, rules, ...extra };
}

function clusterBinding(name: string, role: string, user: string): KubeObject {
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
  };
}

store.put(rbacStorage.clusterRoles, clusterRole('reader', [pods]));
store.put(rbacStorage.clusterRoles, clusterRole('all', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]));
store.put(
  rbacStorage.clusterRoles,
  clusterRole('escalator', [{ verbs: ['escalate', 'bind'], apiGroups: [rbac], resources: ['clusterroles', 'roles'] }]),
);
store.put(
  rbacStorage.clusterRoles,
  clusterRole('named', [{ verbs: ['escalate'], apiGroups: [rbac], resources: ['clusterroles'], resourceNames: ['r'] }]),
);
for (const [role, user] of [
  ['reader', 'rita'],
  ['all', 'alan'],
  ['escalator', 'eve'],
  ['named', 'ned'],
] as const)
  store.put(rbacStorage.clusterRoleBindings, clusterBinding(`${user}-is-${role}`, role, user));
const index = RbacIndex.follow(store);
const strategies = createRbacStrategies({ index, authorizer: new RbacAuthorizer(index) });

function as(username: string, groups: readonly string[] = ['system:authenticated']): WriteContext {
  return { user: { username, groups }, now: 0, dryRun: false, subresource: '', warn: () => undefined };
}

function refusal(action: () => unknown): string {
  try {
    action();
    return '';
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
}

describe('escalation prevention', () => {
  const create = (user: string, object: KubeObject, groups?: readonly string[]): string =>
    refusal(() => strategies.clusterRole.prepareForCreate?.(object, as(user, groups)));

  it('lets an author grant what the author holds, and says what is missing otherwise', () => {
    expect(create('rita', clusterRole('r', [pods]))).toBe('');
    expect(create('rita', clusterRole('r', [{ ...pods, verbs: ['get', 'delete', 'create'] }]))).toBe(
      '403 clusterroles.rbac.authorization.k8s.io "r" is forbidden: user "rita" (groups=["system:authenticated"]) is ' +
        'attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["pods"], Verbs:["delete" "create"]}',
    );
  });

  it('lists every missing permission, sorted', () => {
    const rules: PolicyRule[] = [
      { verbs: ['get'], nonResourceURLs: ['/z'] },
      { verbs: ['get'], apiGroups: ['b', 'a'], resources: ['x'], resourceNames: ['n'] },
    ];
    expect(create('rita', clusterRole('r', rules))).toContain(
      'held:\n{APIGroups:["a"], Resources:["x"], ResourceNames:["n"], Verbs:["get"]}\n' +
        '{APIGroups:["b"], Resources:["x"], ResourceNames:["n"], Verbs:["get"]}\n' +
        '{NonResourceURLs:["/z"], Verbs:["get"]}',
    );
  });

  it('the verb escalate, and system:masters, need nothing more', () => {
    const everything = clusterRole('r', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]);
    expect(create('eve', everything)).toBe('');
    expect(create('nobody', everything, ['system:masters'])).toBe('');
  });

  it('escalate on one name works for updates only: a create has no name to match', () => {
    const wanted = clusterRole('r', [{ verbs: ['*'], apiGroups: [''], resources: ['secrets'] }]);
    expect(create('ned', wanted)).toContain('403');
    const update = refusal(() => strategies.clusterRole.prepareForUpdate?.(wanted, clusterRole('r', []), as('ned')));
    expect(update).toBe('');
  });

  it('an aggregation rule needs the rights of a cluster admin', () => {
    const aggregating = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } };
    expect(create('rita', clusterRole('r', [], aggregating))).toBe(
      '403 clusterroles.rbac.authorization.k8s.io "r" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    );
    const removed = refusal(() =>
      strategies.clusterRole.prepareForUpdate?.(clusterRole('r', []), clusterRole('r', [], aggregating), as('rita')),
    );
    expect(removed).toContain('must have cluster-admin privileges');
  });

  it('the garbage collector may change owners and finalizers of roles it could not grant', () => {
    const old = clusterRole('r', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]);
    old.metadata.finalizers = ['a/b'];
    const next: KubeObject = { ...old, metadata: { name: 'r', resourceVersion: '7' } };
    expect(refusal(() => strategies.clusterRole.prepareForUpdate?.(next, old, as('rita')))).toBe('');
  });
});

describe('binding', () => {
  const create = (user: string, object: KubeObject): string =>
    refusal(() => strategies.clusterRoleBinding.prepareForCreate?.(object, as(user)));

  it.each([
    ['the holder of the rules may bind', 'rita', 'reader', ''],
    ['others need the verb bind', 'eve', 'all', ''],
    [
      'others are told what they lack',
      'rita',
      'escalator',
      '403 clusterrolebindings.rbac.authorization.k8s.io "b" is forbidden: user "rita"',
    ],
    ['an absent role is 404', 'rita', 'absent', '404 clusterroles.rbac.authorization.k8s.io "absent" not found'],
    ['an absent role may be bound by who has bind', 'eve', 'absent', ''],
  ])('%s', (_name, user, role, text) => {
    const answer = create(user, clusterBinding('b', role, 'x'));
    expect(answer.slice(0, text.length || undefined)).toBe(text);
  });

  it('roleRef cannot change', () => {
    const errors = strategies.clusterRoleBinding.validateUpdate?.(
      clusterBinding('b', 'all', 'x'),
      clusterBinding('b', 'reader', 'x'),
      as('alan'),
    );
    expect(errors).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'roleRef',
        message:
          'Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"all"}: cannot change roleRef',
      },
    ]);
  });

  it('defaults the groups of subjects and of the reference', () => {
    const binding: KubeObject = {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { name: 'b' },
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 's' },
      ],
    };
    strategies.roleBinding.setDefaults?.(binding);
    expect(binding['roleRef']).toEqual({ kind: 'Role', name: 'r', apiGroup: rbac });
    expect(binding['subjects']).toEqual([
      { kind: 'User', name: 'u', apiGroup: rbac },
      { kind: 'Group', name: 'g', apiGroup: rbac },
      { kind: 'ServiceAccount', name: 's' },
    ]);
  });
});

describe('validation', () => {
  const texts = (object: KubeObject, kind: keyof typeof strategies): string[] =>
    (strategies[kind].validateCreate?.(object, as('x')) ?? []).map((error) => `${error.field}: ${error.message}`);

  it.each<[string, PolicyRule | object, string[]]>([
    [
      'no verbs',
      { verbs: [], apiGroups: [''], resources: ['x'] },
      ['rules[0].verbs: Required value: verbs must contain at least one value'],
    ],
    [
      'no group',
      { verbs: ['a'], resources: ['x'] },
      ['rules[0].apiGroups: Required value: resource rules must supply at least one api group'],
    ],
    [
      'no resource',
      { verbs: ['a'], apiGroups: [''] },
      ['rules[0].resources: Required value: resource rules must supply at least one resource'],
    ],
    [
      'a URL',
      { verbs: ['a'], nonResourceURLs: ['/x'] },
      ['rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs'],
    ],
  ])('a Role with %s', (_name, rule, expected) => {
    expect(texts({ apiVersion, kind: 'Role', metadata: {}, rules: [rule] }, 'role')).toEqual(expected);
  });

  it('a ClusterRole mixes no URLs with resources and selects something', () => {
    const rules = [{ verbs: ['a'], apiGroups: [''], nonResourceURLs: ['/x'] }];
    const object = { apiVersion, kind: 'ClusterRole', metadata: {}, rules, aggregationRule: {} };
    expect(texts(object, 'clusterRole')).toEqual([
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
      'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    ]);
  });

  it('a binding names a known kind of role and of subject', () => {
    const object = {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: {},
      roleRef: { apiGroup: 'x', kind: 'Role', name: 'a/b' },
      subjects: [
        { kind: 'ServiceAccount', name: 's', apiGroup: 'y' },
        { kind: 'User', name: '', apiGroup: '' },
        { kind: 'Robot', name: 'r' },
      ],
    };
    expect(texts(object, 'clusterRoleBinding')).toEqual([
      'roleRef.apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"',
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      'roleRef.name: Invalid value: "a/b": may not contain \'/\'',
      'subjects[0].apiGroup: Unsupported value: "y": supported values: ""',
      'subjects[0].namespace: Required value',
      'subjects[1].name: Required value',
      'subjects[1].apiGroup: Unsupported value: "": supported values: "rbac.authorization.k8s.io"',
      'subjects[2].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ]);
  });
});

describe('covering rules', () => {
  const words = fc.uniqueArray(fc.constantFrom<string>('a', 'b', '*'), { minLength: 1, maxLength: 2 });
  const rule = fc.record({ verbs: words, apiGroups: words, resources: words });

  it('a set of rules covers itself, and more rules never cover less', () => {
    fc.assert(
      fc.property(fc.array(rule), fc.array(rule), (some, others) => {
        expect(uncoveredRules(some, some)).toEqual([]);
        expect(uncoveredRules([...some, ...others], some)).toEqual([]);
        expect(uncoveredRules([...some, ...others], others).length).toBe(0);
      }),
    );
  });

  it.each<[string, PolicyRule, PolicyRule, boolean]>([
    ['everything covers pods', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, pods, true],
    ['pods do not cover everything', pods, { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, false],
    ['*/scale covers a/scale', { ...pods, resources: ['*/scale'] }, { ...pods, resources: ['a/scale'] }, true],
    ['one name does not cover all', { ...pods, resourceNames: ['a'] }, pods, false],
    ['all names cover one', pods, { ...pods, resourceNames: ['a'] }, true],
    [
      'a URL prefix',
      { verbs: ['get'], nonResourceURLs: ['/a/*'] },
      { verbs: ['get'], nonResourceURLs: ['/a/b'] },
      true,
    ],
    [
      'resources do not cover URLs',
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['get'], nonResourceURLs: ['/a'] },
      false,
    ],
  ])('%s', (_name, held, wanted, covered) => expect(uncoveredRules([held], [wanted]).length === 0).toBe(covered));

  it('joins permissions on the same thing for people to read', () => {
    const missing = uncoveredRules([], [{ ...pods, resources: ['pods', 'services'] }]);
    expect(compactRules(missing).map(formatRule)).toEqual([
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
      '{APIGroups:[""], Resources:["services"], Verbs:["get" "list"]}',
    ]);
  });
});

describe('aggregation', () => {
  const { clusterRoles } = bootstrapPolicy();
  const byName = (name: string): KubeObject => {
    const found = clusterRoles.find((role) => role.metadata.name === name);
    if (found === undefined) throw new Error(name);
    return found;
  };

  it('view, edit and admin take in what is labelled for them', () => {
    const view = aggregatedRules(byName('view'), clusterRoles);
    expect(view).toEqual(byName('system:aggregate-to-view')['rules']);
    const roles = clusterRoles.map((role) => (role.metadata.name === 'view' ? { ...role, rules: view } : role));
    const edit = aggregatedRules(byName('edit'), roles);
    expect(edit?.length).toBe((byName('system:aggregate-to-edit')['rules'] as unknown[]).length + (view?.length ?? 0));
  });

  it('is done when nothing changes, and never for roles without a rule', () => {
    const done = { ...byName('view'), rules: byName('system:aggregate-to-view')['rules'] };
    expect(aggregatedRules(done, clusterRoles)).toBeUndefined();
    expect(aggregatedRules(byName('system:discovery'), clusterRoles)).toBeUndefined();
  });

  it.each([
    [{}, true],
    [{ matchLabels: { a: '1' } }, true],
    [{ matchLabels: { a: '2' } }, false],
    [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['1'] }] }, true],
    [{ matchExpressions: [{ key: 'b', operator: 'NotIn', values: ['1'] }] }, true],
    [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }, true],
    [{ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, false],
    [{ matchExpressions: [{ key: 'a', operator: 'Sometimes' }] }, false],
    [{ matchExpressions: [{ key: '__proto__', operator: 'Exists' }] }, false],
    ['nonsense', false],
  ])('%j on a=1', (selector, matches) => expect(selectorMatches(selector, { a: '1' })).toBe(matches));
});

describe('bootstrap policy', () => {
  const policy = bootstrapPolicy();
  const names = policy.clusterRoles.map((role) => role.metadata.name);

  it('has the roles that people and tools expect, each once', () => {
    expect(new Set(names).size).toBe(names.length);
    for (const name of [
      'cluster-admin',
      'admin',
      'edit',
      'view',
      'system:discovery',
      'system:basic-user',
      'system:node',
    ])
      expect(names).toContain(name);
    for (const name of ['system:node-bootstrapper', 'system:auth-delegator', 'system:public-info-viewer'])
      expect(names).toContain(name);
    for (const binding of policy.clusterRoleBindings)
      expect(names).toContain((binding['roleRef'] as { name: string }).name);
  });

  function memoryWriter(): PolicyWriter & { objects: Map<string, KubeObject>; log: string[] } {
    const objects = new Map<string, KubeObject>();
    const log: string[] = [];
    const key = (resource: string, namespace: string, name: string): string => `${resource} ${namespace}/${name}`;
    const set = (verb: string, resource: string, object: KubeObject): Promise<void> => {
      const { namespace = '', name = '' } = object.metadata;
      log.push(`${verb} ${resource} ${name}`);
      objects.set(key(resource, namespace, name), object);
      return Promise.resolve();
    };
    return {
      objects,
      log,
      get: (resource, namespace, name): Frozen<KubeObject> | undefined => objects.get(key(resource, namespace, name)),
      create: (resource, object) => set('create', resource, object),
      update: (resource, object) => set('update', resource, object),
      delete: (resource, namespace, name) => {
        log.push(`delete ${resource} ${name}`);
        objects.delete(key(resource, namespace, name));
        return Promise.resolve();
      },
    };
  }

  it('is created once, and a second start writes nothing', async () => {
    const writer = memoryWriter();
    const total = Object.values(policy).flat().length;
    expect(await reconcilePolicy(policy, writer)).toBe(total);
    expect(await reconcilePolicy(policy, writer)).toBe(0);
  });

  it('adds what is missing, keeps what was added, and respects autoupdate "false"', () => {
    const expected = policy.clusterRoles.find((role) => role.metadata.name === 'system:auth-delegator');
    if (expected === undefined) throw new Error('missing');
    const rules = expected['rules'] as PolicyRule[];
    const existing = { ...expected, rules: [rules[0], pods] };
    const change = planPolicyChange(expected, existing);
    expect(change?.verb).toBe('update');
    expect(change?.object['rules']).toEqual([rules[0], pods, rules[1]]);
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
    expect(
      planPolicyChange(expected, { ...existing, metadata: { ...existing.metadata, annotations } }),
    ).toBeUndefined();
  });

  it('replaces a binding whose role differs, and adds subjects otherwise', () => {
    const expected = policy.clusterRoleBindings.find((binding) => binding.metadata.name === 'cluster-admin');
    if (expected === undefined) throw new Error('missing');
    const elsewhere = { ...expected, roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'view' } };
    expect(planPolicyChange(expected, elsewhere)?.verb).toBe('replace');
    const extra = { apiGroup: rbac, kind: 'User', name: 'me' };
    expect(planPolicyChange(expected, { ...expected, subjects: [extra] })?.object['subjects']).toEqual([
      extra,
      ...(expected['subjects'] as object[]),
    ]);
  });

  it('plans again when another writer was quicker', async () => {
    const writer = memoryWriter();
    let refused = 0;
    const racing: PolicyWriter = {
      ...writer,
      create: async (resource, object) => {
        if (object.metadata.name === 'view' && refused++ === 0) {
          await writer.create(resource, object);
          throw alreadyExists({ group: rbac, resource }, 'view');
        }
        return writer.create(resource, object);
      },
    };
    await reconcilePolicy(policy, racing);
    expect(refused).toBe(1);
    expect(writer.objects.has('clusterroles /view')).toBe(true);
  });
});
