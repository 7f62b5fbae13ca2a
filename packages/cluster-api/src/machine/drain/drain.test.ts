import { describe, expect, it } from 'vitest';
import type { Pod } from '@slipway/runtime';
import { labels, type MachineDrainRule } from '../../api/index.js';
import { classifyPod, drainMessage, drainRulesFor, isDrained, planDrain, type PodSurroundings } from './index.js';

const nowMs = Date.parse('2026-01-01T00:10:00Z');

function pod(name: string, change: (pod: Pod) => void = () => undefined): Pod {
  const made: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'ns',
      labels: {},
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'rs', controller: true }],
    },
    spec: { containers: [] },
    status: { phase: 'Running' },
  };
  change(made);
  return made;
}

function rule(name: string, spec: MachineDrainRule['spec']): MachineDrainRule {
  return { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineDrainRule', metadata: { name }, spec };
}

const around = (given: Partial<PodSurroundings> = {}): PodSurroundings => ({
  rules: [],
  namespaces: new Map([['ns', { team: 'a' }]]),
  daemonSets: new Set(['ns/ds']),
  nowMs,
  ...given,
});
const ofDaemonSet = (name: string) => (made: Pod) =>
  void (made.metadata.ownerReferences = [
    { apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid: name, controller: true },
  ]);
const labelled = (value: string) => (made: Pod) => void (made.metadata.labels = { [labels.drain]: value });

describe('classifyPod', () => {
  const rows: { name: string; given: Pod; surroundings?: Partial<PodSurroundings>; then: object }[] = [
    { name: 'evicts a plain pod', given: pod('p'), then: { behavior: 'Drain', order: 0, warnings: [] } },
    {
      name: 'skips pods of a DaemonSet',
      given: pod('p', ofDaemonSet('ds')),
      then: { behavior: 'Skip' },
    },
    {
      name: 'evicts pods of a deleted DaemonSet',
      given: pod('p', ofDaemonSet('gone')),
      then: { behavior: 'Drain', warnings: ['evicting orphaned DaemonSet-managed Pod'] },
    },
    {
      name: 'evicts completed pods of a DaemonSet',
      given: pod('p', (made) => {
        ofDaemonSet('ds')(made);
        made.status = { phase: 'Succeeded' };
      }),
      then: { behavior: 'Drain', warnings: [] },
    },
    {
      name: 'skips static pods',
      given: pod('p', ({ metadata }) => void (metadata.annotations = { 'kubernetes.io/config.mirror': 'hash' })),
      then: { behavior: 'Skip' },
    },
    {
      name: 'evicts pods with local storage and without a controller, with a warning',
      given: pod('p', (made) => {
        delete made.metadata.ownerReferences;
        made.spec = { containers: [], volumes: [{ name: 'v', emptyDir: {} }] };
      }),
      then: { warnings: ['evicting Pod with local storage', 'evicting Pod that has no controller'] },
    },
    { name: 'skips by label', given: pod('p', labelled('Skip')), then: { behavior: 'Skip' } },
    {
      name: 'waits by label',
      given: pod('p', labelled('wait-completed')),
      then: { behavior: 'WaitCompleted', order: 0 },
    },
    { name: 'ignores other label values', given: pod('p', labelled('maybe')), then: { behavior: 'Drain' } },
    {
      name: 'ignores deleted pods of an unreachable Node',
      given: pod('p', ({ metadata }) => void (metadata.deletionTimestamp = '2026-01-01T00:09:58Z')),
      surroundings: { goneAfterMs: 1_000 },
      then: { behavior: 'Skip' },
    },
    {
      name: 'waits for pods that were deleted recently',
      given: pod('p', ({ metadata }) => void (metadata.deletionTimestamp = '2026-01-01T00:09:59Z')),
      surroundings: { goneAfterMs: 1_000 },
      then: { behavior: 'Drain' },
    },
    {
      name: 'uses the first matching rule, by pod and namespace',
      given: pod('p', ({ metadata }) => void (metadata.labels = { app: 'x' })),
      surroundings: {
        rules: [
          rule('a', { drain: { behavior: 'Skip' }, pods: [{ namespaceSelector: { matchLabels: { team: 'b' } } }] }),
          rule('b', {
            drain: { behavior: 'Drain', order: 7 },
            pods: [
              { selector: { matchLabels: { app: 'y' } } },
              { selector: { matchLabels: { app: 'x' } }, namespaceSelector: { matchLabels: { team: 'a' } } },
            ],
          }),
          rule('c', { drain: { behavior: 'Skip' } }),
        ],
      },
      then: { behavior: 'Drain', order: 7 },
    },
    {
      name: 'waits for completion in the order of a rule',
      given: pod('p'),
      surroundings: { rules: [rule('a', { drain: { behavior: 'WaitCompleted', order: 3 } })] },
      then: { behavior: 'WaitCompleted', order: 3 },
    },
  ];
  it.each(rows)('$name', ({ given, surroundings, then }) => {
    expect(classifyPod(given, around(surroundings))).toMatchObject(then);
  });
});

describe('drainRulesFor', () => {
  const machine = { metadata: { labels: { pool: 'gpu' } } };
  const cluster = { metadata: { labels: { env: 'prod' } } };
  const drain = { behavior: 'Skip' } as const;
  const namesFor = (rules: MachineDrainRule[]): string[] =>
    drainRulesFor(rules, machine, cluster).map(({ metadata }) => metadata.name ?? '');

  it('sorts the rules of the machine and its cluster by name', () => {
    const gpu = { matchLabels: { pool: 'gpu' } };
    const names = namesFor([
      rule('z-all', { drain }),
      rule('machine', { drain, machines: [{ selector: gpu }] }),
      rule('both', { drain, machines: [{ selector: gpu, clusterSelector: { matchLabels: { env: 'prod' } } }] }),
      rule('other-cluster', { drain, machines: [{ selector: gpu, clusterSelector: { matchLabels: { env: 'dev' } } }] }),
      rule('one-of', { drain, machines: [{ selector: { matchLabels: { pool: 'cpu' } } }, { clusterSelector: {} }] }),
    ]);
    expect(names).toEqual(['both', 'machine', 'one-of', 'z-all']);
  });

  it('throws if a drain rule is invalid', () => {
    const selector = { matchExpressions: [{ key: 'a', operator: 'Roughly' }] };
    expect(() => namesFor([rule('odd', { drain, pods: [{ selector }] })])).toThrow(
      'invalid selectors in MachineDrainRule odd: "Roughly" is not a valid label selector operator',
    );
  });
});

describe('planDrain', () => {
  const ordered = (order: number) =>
    rule(`o${order}`, {
      drain: { behavior: 'Drain', order },
      pods: [{ selector: { matchLabels: { order: String(order) } } }],
    });
  const inOrder = (name: string, order: number, more: (made: Pod) => void = () => undefined): Pod =>
    pod(name, (made) => {
      made.metadata.labels = { order: String(order) };
      more(made);
    });
  const deleting = ({ metadata }: Pod): void => void (metadata.deletionTimestamp = '2026-01-01T00:00:00Z');
  const names = (pods: readonly { readonly metadata: { readonly name?: string } }[]): string[] =>
    pods.map(({ metadata }) => metadata.name ?? '');

  it('evicts only the pods of the lowest present order', () => {
    const plan = planDrain(
      [inOrder('late', 10), inOrder('b', 1), inOrder('a', 1), pod('job', labelled('wait-completed'))],
      around({ rules: [ordered(1), ordered(10)] }),
    );
    expect(plan.evictNow).toEqual([]);
    expect(names(plan.waitNow)).toEqual(['job']);
    expect(names(plan.evictLater)).toEqual(['a', 'b', 'late']);
  });

  it('includes deleting pods in the lowest order', () => {
    const plan = planDrain(
      [inOrder('going', 0, deleting), inOrder('next', 1)],
      around({ rules: [ordered(0), ordered(1)] }),
    );
    expect([names(plan.deleting), plan.evictNow, names(plan.evictLater)]).toEqual([['going'], [], ['next']]);
  });

  it('evicts nothing if all pods are skipped', () => {
    const plan = planDrain([pod('p', ofDaemonSet('ds'))], around());
    expect(isDrained({ ...plan, failed: new Map() })).toBe(true);
    expect(names(plan.skipped)).toEqual(['p']);
  });
});

describe('drainMessage', () => {
  const nothing = { deleting: [], failed: new Map(), evictLater: [], waitNow: [], waitLater: [] };
  const budget = "annot evict pod as it would violate the pod's disruption budget.";
  const several = (count: number): Pod[] => Array.from({ length: count }, (_each, index) => pod(`p${index}`));

  it('reports every cause, at most three pods of each, and at most five failures', () => {
    const failures = Array.from({ length: 7 }, (_each, index): [string, Pod[]] => [`x${index}`, [pod(`f${index}`)]]);
    const result = {
      deleting: several(4),
      failed: new Map([
        [`C${budget} The disruption budget b needs 1 healthy pods and has 1 currently`, several(2)],
        ...failures,
      ]),
      evictLater: [pod('l')],
      waitNow: [pod('w')],
      waitLater: [pod('wl')],
    };
    expect(drainMessage(result, '2026-01-01T00:00:00Z')).toBe(
      [
        'Drain not completed yet (started at 2026-01-01T00:00:00Z):',
        '* Pods ns/p0, ns/p1, ns/p2, ... (1 more): deletionTimestamp set, but still not removed from the Node',
        `* Pods ns/p0, ns/p1: c${budget} The disruption budget b needs 1 healthy pods and has 1 currently`,
        '* Pod ns/f0: failed to evict Pod, x0',
        '* Pod ns/f1: failed to evict Pod, x1',
        '* Pod ns/f2: failed to evict Pod, x2',
        '* Pod ns/f3: failed to evict Pod, x3',
        '* 3 Pods with other issues',
        '* Pod ns/w: waiting for completion',
        'After above Pods have been removed from the Node, the following Pods will be evicted: ns/l',
        'After above Pods have been removed from the Node, waiting for the following Pods to complete without eviction: ns/wl',
      ].join('\n'),
    );
  });

  it('is empty when no pod is left', () => {
    expect(isDrained(nothing)).toBe(true);
    expect(isDrained({ ...nothing, waitLater: [pod('p')] })).toBe(false);
  });
});
