import { conflict, type Frozen, type KubeObject, StatusError } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { pods } from '../core/pod.js';
import { createIn, rowOf, testContext, updateIn } from '../test-support.js';
import { bindPod } from './binding.js';
import { evictPod } from './eviction.js';
import type { PodOperations } from './pod-operations.js';

const definition = pods(undefined);
const container = { name: 'c', image: 'nginx' };

describe('Pod', () => {
  it('is created unscheduled with phase Pending, QoS class and defaults', async () => {
    const { object, errors } = await createIn(definition, { spec: { containers: [container] } });
    expect(errors).toEqual([]);
    expect(object).toMatchObject({
      metadata: { generation: 1 },
      spec: {
        enableServiceLinks: true,
        containers: [{ imagePullPolicy: 'Always' }],
      },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
  });

  it.each([
    [{ limits: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'],
    [{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } }, 'Burstable'],
    [{ requests: { cpu: '1' } }, 'Burstable'],
    [{}, 'BestEffort'],
  ])('computes the QoS class of %j: %s', async (resources, qosClass) => {
    const { object } = await createIn(definition, { spec: { containers: [{ ...container, resources }] } });
    expect(object.status).toMatchObject({ qosClass });
  });

  it.each([
    { name: 'missing containers', spec: {}, errors: ['spec.containers: Required value'] },
    {
      name: 'a missing name and image',
      spec: { containers: [{}] },
      errors: ['spec.containers[0].name: Required value', 'spec.containers[0].image: Required value'],
    },
    {
      name: 'duplicate container names',
      spec: { containers: [container, container] },
      errors: ['spec.containers[1].name: Duplicate value: "c"'],
    },
    {
      name: 'an unknown restart policy',
      spec: { containers: [container], restartPolicy: 'Sometimes' },
      errors: ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
    },
    {
      name: 'a mount without a volume',
      spec: { containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }] },
      errors: ['spec.containers[0].volumeMounts[0].name: Not found: "v"'],
    },
    {
      name: 'two sources in one volume',
      spec: { containers: [container], volumes: [{ name: 'v', emptyDir: {}, secret: { secretName: 's' } }] },
      errors: ['spec.volumes[0].secret: Forbidden: may not specify more than 1 volume type'],
    },
    {
      name: 'a port out of range',
      spec: { containers: [{ ...container, ports: [{ containerPort: 70000, protocol: 'ICMP' }] }] },
      errors: [
        'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        'spec.containers[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
      ],
    },
    {
      name: 'a request above its limit',
      spec: { containers: [{ ...container, resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }] },
      errors: [
        'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
      ],
    },
    {
      name: 'a probe without a handler',
      spec: { containers: [{ ...container, livenessProbe: {} }] },
      errors: ['spec.containers[0].livenessProbe: Required value: must specify a handler type'],
    },
    {
      name: 'a toleration without a key',
      spec: {
        containers: [container],
        tolerations: [
          { operator: 'Equal', effect: 'NoExecute' },
          { key: 'a', tolerationSeconds: 5 },
        ],
      },
      errors: [
        'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
        'spec.tolerations[1].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set',
      ],
    },
  ])('rejects $name', async ({ spec, errors }) => {
    expect((await createIn(definition, { spec })).errors).toEqual(errors);
  });

  it('rejects changes of spec except for the image', async () => {
    const { object } = await createIn(definition, { spec: { containers: [container] } });
    const spec = (change: object) => ({ ...(object.spec as object), ...change });
    expect(
      (await updateIn(definition, object, { spec: spec({ containers: [{ ...container, image: 'b' }] }) })).errors,
    ).toEqual([]);
    expect((await updateIn(definition, object, { spec: spec({ hostname: 'h' }) })).errors).toEqual([
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n',
    ]);
  });

  it.each([
    { name: 'removes a pod without a node immediately', spec: {}, requested: undefined, grace: undefined },
    { name: 'defaults to 30 seconds for a pod on a node', spec: { nodeName: 'n' }, requested: undefined, grace: 30 },
    { name: 'removes a pod immediately with grace period 0', spec: { nodeName: 'n' }, requested: 0, grace: undefined },
    { name: 'uses the requested 5 seconds', spec: { nodeName: 'n' }, requested: 5, grace: 5 },
  ])('$name', ({ spec, requested, grace }) => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec, status: {} };
    expect(definition.strategy.graceSeconds?.(pod, requested)).toBe(grace);
  });

  it('prints READY, STATUS and RESTARTS', () => {
    const state = { waiting: { reason: 'CrashLoopBackOff' } };
    const last = { terminated: { finishedAt: '2024-01-02T03:03:05Z' } };
    const pod = {
      metadata: { name: 'p', creationTimestamp: '2024-01-02T03:02:05Z' },
      spec: { containers: [{ name: 'a' }, { name: 'b' }], nodeName: 'n' },
      status: {
        phase: 'Running',
        podIP: '10.0.0.1',
        containerStatuses: [
          { name: 'a', ready: true, restartCount: 0, state: { running: {} } },
          { name: 'b', ready: false, restartCount: 4, state, lastState: last },
        ],
      },
    };
    expect(rowOf(definition, pod)).toEqual({
      Name: 'p',
      Ready: '1/2',
      Status: 'CrashLoopBackOff',
      Restarts: '4 (60s ago)',
      Age: '2m',
      IP: '10.0.0.1',
      Node: 'n',
      'Nominated Node': '<none>',
      'Readiness Gates': '<none>',
    });
  });
});

/** Returns operations on one in-memory pod and its disruption budgets. */
function dependencies(
  pod: object,
  budgets: object[] = [],
): PodOperations & { readonly deleted: string[]; readonly pod: KubeObject } {
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', uid: 'u' }, ...pod } as KubeObject;
  const stored = budgets as KubeObject[];
  const deleted: string[] = [];
  return {
    pod: object,
    deleted,
    getPod: () => object as Frozen<KubeObject>,
    changePod: async (_namespace, _name, change) => change(object),
    deletePod: async (_namespace, name) => void deleted.push(name),
    budgets: () => stored as Frozen<KubeObject>[],
    changeBudget: async (_namespace, name, change) =>
      change(stored.find(({ metadata }) => metadata.name === name) as KubeObject),
  };
}

const request = {
  namespace: 'default',
  name: 'p',
  user: testContext.user,
  dryRun: false,
  signal: new AbortController().signal,
};
const time = (): string => '2024-01-02T03:04:05Z';

describe('binding of pods', () => {
  it('assigns the pod to the node once', async () => {
    const operations = dependencies({});
    const bind = bindPod(operations, time);
    const body = { target: { kind: 'Node', name: 'n1' } };
    expect(await bind({ ...request, body })).toMatchObject({ code: 201, object: { status: 'Success' } });
    expect(operations.pod.spec).toEqual({ nodeName: 'n1' });
    await expect(bind({ ...request, body })).rejects.toEqual(
      conflict({ group: '', resource: 'pods/binding' }, 'p', 'pod p is already assigned to node "n1"'),
    );
  });

  it('requires a target', async () => {
    await expect(bindPod(dependencies({}), time)({ ...request, body: {} })).rejects.toThrow(
      'Binding "p" is invalid: target.name: Required value',
    );
  });
});

describe('eviction of pods', () => {
  const running = { metadata: { name: 'p', uid: 'u', labels: { app: 'web' } }, status: { phase: 'Running' } };
  const budget = (status: object): object => ({
    metadata: { name: 'b', generation: 1 },
    spec: { selector: { matchLabels: { app: 'web' } } },
    status: { observedGeneration: 1, ...status },
  });

  it('deletes a pod that no budget protects', async () => {
    const operations = dependencies(running);
    await evictPod(operations, time)({ ...request, body: {} });
    expect(operations.deleted).toEqual(['p']);
  });

  it('decrements the disruption budget', async () => {
    const protector = budget({ disruptionsAllowed: 1 });
    const operations = dependencies(running, [protector]);
    await evictPod(operations, time)({ ...request, body: {} });
    expect(protector).toMatchObject({ status: { disruptionsAllowed: 0, disruptedPods: { p: time() } } });
    expect(operations.deleted).toEqual(['p']);
  });

  it('returns 429 when the disruption budget is exhausted', async () => {
    const operations = dependencies(running, [budget({ disruptionsAllowed: 0, desiredHealthy: 2, currentHealthy: 2 })]);
    const error = await evictPod(operations, time)({ ...request, body: {} }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({
      code: 429,
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [
          { reason: 'DisruptionBudget', message: 'The disruption budget b needs 2 healthy pods and has 2 currently' },
        ],
      },
    });
    expect(operations.deleted).toEqual([]);
  });
});
