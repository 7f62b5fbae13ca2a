import type { Frozen, KubeObject } from '@slipway/kube';
import { alreadyExists, StatusError } from '@slipway/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WriteContext } from '../../contract/index.js';
import { FakeStore } from '../memory-store-fake.js';
import { aggregatedRules } from './aggregation.js';
import { bootstrapPolicy } from './bootstrap-policy.js';
import { compactRules, formatRule, uncoveredRules } from './covers.js';
import { createEscalationHooks } from './escalation-hooks.js';
import type { PolicyRule } from './policy-rule.js';
import { RbacAuthorizer } from './rbac-authorizer.js';
import { RbacIndex, rbacStorage } from './rbac-index.js';
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
const hooks = createEscalationHooks({ index, authorizer: new RbacAuthorizer(index) });

function as(username: string, groups: readonly string[] = ['system:authenticated']): WriteContext {
  return { user: { username, groups }, now: 0, dryRun: false, subresource: '', requestName: '', warn: () => undefined };
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
    refusal(() => hooks.clusterroles.prepareForCreate?.(object, as(user, groups)));

  it('lets an author grant permissions that the author holds, and reports missing ones', () => {
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

  it('allows escalation with the verb escalate and for system:masters', () => {
    const everything = clusterRole('r', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]);
    expect(create('eve', everything)).toBe('');
    expect(create('nobody', everything, ['system:masters'])).toBe('');
  });

  it('accepts escalate on one name for updates and for an apply that creates, not for a POST, whose path has no name', () => {
    const required = clusterRole('r', [{ verbs: ['*'], apiGroups: [''], resources: ['secrets'] }]);
    expect(create('ned', required)).toContain('403');
    const update = refusal(() => hooks.clusterroles.prepareForUpdate?.(required, clusterRole('r', []), as('ned')));
    expect(update).toBe('');
    const applied = { ...as('ned'), requestName: 'r' };
    expect(refusal(() => hooks.clusterroles.prepareForCreate?.(required, applied))).toBe('');
  });

  it('requires cluster-admin permissions for an aggregation rule', () => {
    const aggregating = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } };
    expect(create('rita', clusterRole('r', [], aggregating))).toBe(
      '403 clusterroles.rbac.authorization.k8s.io "r" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    );
    const removed = refusal(() =>
      hooks.clusterroles.prepareForUpdate?.(clusterRole('r', []), clusterRole('r', [], aggregating), as('rita')),
    );
    expect(removed).toContain('must have cluster-admin privileges');
  });

  it('lets the garbage collector change owners and finalizers of roles that it could not grant', () => {
    const old = clusterRole('r', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]);
    old.metadata.finalizers = ['a/b'];
    const next: KubeObject = { ...old, metadata: { name: 'r', resourceVersion: '7' } };
    expect(refusal(() => hooks.clusterroles.prepareForUpdate?.(next, old, as('rita')))).toBe('');
  });
});

describe('binding of roles', () => {
  const create = (user: string, object: KubeObject): string =>
    refusal(() => hooks.clusterrolebindings.prepareForCreate?.(object, as(user)));

  it.each([
    ['lets the holder of the permissions bind', 'rita', 'reader', ''],
    ['lets holders of the verb bind bind', 'eve', 'all', ''],
    [
      'reports missing permissions to other users',
      'rita',
      'escalator',
      '403 clusterrolebindings.rbac.authorization.k8s.io "b" is forbidden: user "rita"',
    ],
    [
      'returns 404 for a role that does not exist',
      'rita',
      'absent',
      '404 clusterroles.rbac.authorization.k8s.io "absent" not found',
    ],
    ['lets holders of the verb bind bind a role that does not exist', 'eve', 'absent', ''],
  ])('%s', (_name, user, role, text) => {
    const answer = create(user, clusterBinding('b', role, 'x'));
    expect(answer.slice(0, text.length || undefined)).toBe(text);
  });
});

describe('uncoveredRules', () => {
  const words = fc.uniqueArray(fc.constantFrom<string>('a', 'b', '*'), { minLength: 1, maxLength: 2 });
  const rule = fc.record({ verbs: words, apiGroups: words, resources: words });

  it('covers a set of rules by itself, and never covers less with more rules', () => {
    fc.assert(
      fc.property(fc.array(rule), fc.array(rule), (some, others) => {
        expect(uncoveredRules(some, some)).toEqual([]);
        expect(uncoveredRules([...some, ...others], some)).toEqual([]);
        expect(uncoveredRules([...some, ...others], others).length).toBe(0);
      }),
    );
  });

  it.each<[string, PolicyRule, PolicyRule, boolean]>([
    ['covers pods by *', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, pods, true],
    ['does not cover * by pods', pods, { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, false],
    ['covers a/scale by */scale', { ...pods, resources: ['*/scale'] }, { ...pods, resources: ['a/scale'] }, true],
    ['does not cover all names by one name', { ...pods, resourceNames: ['a'] }, pods, false],
    ['covers one name by all names', pods, { ...pods, resourceNames: ['a'] }, true],
    [
      'covers a URL by its prefix',
      { verbs: ['get'], nonResourceURLs: ['/a/*'] },
      { verbs: ['get'], nonResourceURLs: ['/a/b'] },
      true,
    ],
    [
      'does not cover URLs by resources',
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['get'], nonResourceURLs: ['/a'] },
      false,
    ],
  ])('%s', (_name, held, required, covered) => expect(uncoveredRules([held], [required]).length === 0).toBe(covered));

  it('merges permissions on the same resource for display', () => {
    const missing = uncoveredRules([], [{ ...pods, resources: ['pods', 'services'] }]);
    expect(compactRules(missing).map(formatRule)).toEqual([
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
      '{APIGroups:[""], Resources:["services"], Verbs:["get" "list"]}',
    ]);
  });
});

describe('aggregatedRules', () => {
  const { clusterRoles } = bootstrapPolicy();
  const byName = (name: string): KubeObject => {
    const found = clusterRoles.find((role) => role.metadata.name === name);
    if (found === undefined) throw new Error(name);
    return found;
  };

  it('aggregates the labelled roles into view, edit and admin', () => {
    const view = aggregatedRules(byName('view'), clusterRoles);
    expect(view).toEqual(byName('system:aggregate-to-view')['rules']);
    const roles = clusterRoles.map((role) => (role.metadata.name === 'view' ? { ...role, rules: view } : role));
    const edit = aggregatedRules(byName('edit'), roles);
    expect(edit?.length).toBe((byName('system:aggregate-to-edit')['rules'] as unknown[]).length + (view?.length ?? 0));
  });

  it('returns undefined if nothing changes, and for roles without an aggregation rule', () => {
    const done = { ...byName('view'), rules: byName('system:aggregate-to-view')['rules'] };
    expect(aggregatedRules(done, clusterRoles)).toBeUndefined();
    expect(aggregatedRules(byName('system:discovery'), clusterRoles)).toBeUndefined();
  });

  it.each([
    [{}, 1],
    [{ matchLabels: { a: '1' } }, 1],
    [{ matchLabels: { a: '2' } }, 0],
    [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['1'] }] }, 1],
    [{ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, 0],
    [{ matchExpressions: [{ key: 'a', operator: 'Sometimes' }] }, 0],
    ['nonsense', 0],
  ])('selects with %j %i rules of a role labelled a=1', (selector, count) => {
    const other = clusterRole('other', [pods]);
    other.metadata.labels = { a: '1' };
    const aggregating = clusterRole('r', [{ ...pods, verbs: ['old'] }], {
      aggregationRule: { clusterRoleSelectors: [selector] },
    });
    expect(aggregatedRules(aggregating, [other, aggregating])?.length).toBe(count);
  });
});

describe('bootstrap policy', () => {
  const policy = bootstrapPolicy();
  const names = policy.clusterRoles.map((role) => role.metadata.name);

  it('contains the roles of upstream without duplicates', () => {
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

  it('creates the policy once, and writes nothing on a second start', async () => {
    const writer = memoryWriter();
    const total = Object.values(policy).flat().length;
    expect(await reconcilePolicy(policy, writer)).toBe(total);
    expect(await reconcilePolicy(policy, writer)).toBe(0);
  });

  it('adds missing rules, keeps added ones, and respects autoupdate "false"', () => {
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

  it('computes the change again after a conflict', async () => {
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
