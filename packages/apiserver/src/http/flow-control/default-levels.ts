import type { FlowSchema, PolicyRule, PriorityLevel, Subject } from './flow-objects.js';

/** Priority levels that kube-apiserver has from the start. They hold their shares of the seats unless an object replaces them. */
export const defaultLevels: readonly PriorityLevel[] = [
  { metadata: { name: 'exempt' }, spec: { type: 'Exempt' } },
  { metadata: { name: 'catch-all' }, spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5 } } },
  ...[
    { name: 'system', shares: 30, lendable: 33 },
    { name: 'node-high', shares: 40, lendable: 25 },
    { name: 'leader-election', shares: 10, lendable: 0 },
    { name: 'workload-high', shares: 40, lendable: 50 },
    { name: 'workload-low', shares: 100, lendable: 90 },
    { name: 'global-default', shares: 20, lendable: 50 },
  ].map(
    ({ name, shares, lendable }): PriorityLevel => ({
      metadata: { name },
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: shares,
          lendablePercent: lendable,
          limitResponse: { type: 'Queue', queuing: { handSize: 6, queueLengthLimit: 50 } },
        },
      },
    }),
  ),
];

const everyone = [group('system:unauthenticated'), group('system:authenticated')];
const nodes = [group('system:nodes')];
const systemAccounts: Subject = { kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } };
const anyResource = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true };
const anything = { resourceRules: [anyResource], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] };
const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] };

/** FlowSchemas that kube-apiserver has from the start. Requests that match one of them use the server's own limits. */
export const defaultSchemas: readonly FlowSchema[] = [
  schema('exempt', 'exempt', 1, { subjects: [group('system:masters')], ...anything }),
  schema('probes', 'exempt', 2, {
    subjects: everyone,
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
  }),
  schema('system-leader-election', 'leader-election', 100, {
    subjects: [user('system:kube-controller-manager'), user('system:kube-scheduler'), systemAccounts],
    resourceRules: [{ verbs: ['get', 'create', 'update'], ...leases }],
  }),
  schema('system-node-high', 'node-high', 400, {
    subjects: nodes,
    resourceRules: [
      { ...anyResource, apiGroups: [''], resources: ['nodes', 'nodes/status'] },
      { verbs: ['*'], ...leases },
    ],
  }),
  schema('system-nodes', 'system', 500, { subjects: nodes, ...anything }),
  schema('kube-controller-manager', 'workload-high', 800, {
    subjects: [user('system:kube-controller-manager')],
    ...anything,
  }),
  schema('kube-scheduler', 'workload-high', 800, { subjects: [user('system:kube-scheduler')], ...anything }),
  schema('kube-system-service-accounts', 'workload-high', 900, { subjects: [systemAccounts], ...anything }),
  schema('service-accounts', 'workload-low', 9_000, { subjects: [group('system:serviceaccounts')], ...anything }),
  schema('global-default', 'global-default', 9_900, { subjects: everyone, ...anything }),
  schema('catch-all', 'catch-all', 10_000, { subjects: everyone, ...anything }),
];

function schema(name: string, level: string, matchingPrecedence: number, rule: PolicyRule): FlowSchema {
  return {
    metadata: { name },
    spec: { priorityLevelConfiguration: { name: level }, matchingPrecedence, rules: [rule] },
  };
}

function group(name: string): Subject {
  return { kind: 'Group', group: { name } };
}

function user(name: string): Subject {
  return { kind: 'User', user: { name } };
}

export function isDefaultLevel(name: string): boolean {
  return defaultLevels.some(({ metadata }) => metadata.name === name);
}
