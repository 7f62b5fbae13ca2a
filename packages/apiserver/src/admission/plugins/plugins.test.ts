import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '@slipway/kube';
import { refusalOf, TestServer } from '../test-support.js';

let server: TestServer;
const made: object[] = [];

beforeAll(async () => {
  server = await TestServer.start();
  for (const name of ['default', 'builder']) {
    const existing = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'default' } };
    await server.ensure(name === 'builder' ? { ...existing, imagePullSecrets: [{ name: 'registry' }] } : existing);
  }
});
afterEach(async () => {
  for (const object of made.splice(0).reverse()) await server.remove(object);
  for (const object of await server.list(pod('', {}))) await server.remove(object);
});
afterAll(() => server.stop());

function pod(name: string, spec: object): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec },
  };
}

async function given(object: object): Promise<void> {
  await server.create(object);
  made.push(object);
}

async function specOf(object: object): Promise<Record<string, unknown>> {
  return (await server.create(object))['spec'] as Record<string, unknown>;
}

describe('ServiceAccount plugin', () => {
  it('sets the default account and mounts its token', async () => {
    const spec = await specOf(pod('a', {}));
    expect(spec).toMatchObject({
      serviceAccountName: 'default',
      serviceAccount: 'default',
      volumes: [
        {
          name: expect.stringMatching(/^kube-api-access-[a-z0-9]{5}$/) as unknown,
          projected: {
            defaultMode: 420,
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
              { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
              { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
            ],
          },
        },
      ],
      containers: [{ volumeMounts: [{ mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true }] }],
    });
  });

  it('mounts no token if automounting is disabled or the pod mounts its own', async () => {
    expect(await specOf(pod('a', { automountServiceAccountToken: false }))).not.toHaveProperty('volumes');
    const own = {
      containers: [
        {
          name: 'c',
          image: 'nginx',
          volumeMounts: [{ name: 'mine', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
        },
      ],
      volumes: [{ name: 'mine', emptyDir: {} }],
    };
    expect((await specOf(pod('b', own)))['volumes']).toHaveLength(1);
  });

  it('adds imagePullSecrets of the account to pods', async () => {
    expect(await specOf(pod('a', { serviceAccountName: 'builder' }))).toMatchObject({
      imagePullSecrets: [{ name: 'registry' }],
    });
  });

  it('rejects pods whose account does not exist', async () => {
    expect(await refusalOf(server.create(pod('a', { serviceAccountName: 'nobody' })))).toEqual({
      code: 403,
      reason: 'Forbidden',
      message:
        'pods "a" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found',
    });
  });
});

describe('Priority plugin', () => {
  const high = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 1000,
    preemptionPolicy: 'Never',
  };

  it('sets priority zero without a class', async () => {
    expect(await specOf(pod('a', {}))).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
  });

  it('sets the priority of the class', async () => {
    await given(high);
    expect(await specOf(pod('a', { priorityClassName: 'high' }))).toMatchObject({
      priority: 1000,
      preemptionPolicy: 'Never',
    });
  });

  it('uses the global default class, of which only one may exist', async () => {
    await given({ ...high, globalDefault: true });
    expect(await specOf(pod('a', {}))).toMatchObject({ priorityClassName: 'high', priority: 1000 });
    expect(
      (await refusalOf(server.create({ ...high, metadata: { name: 'other' }, globalDefault: true })))?.message,
    ).toBe(
      'priorityclasses.scheduling.k8s.io "other" is forbidden: PriorityClass high is already marked as default. Only one default can exist',
    );
  });

  it.each([
    [{ priorityClassName: 'missing' }, 'no PriorityClass with name missing was found'],
    [
      { priority: 5 },
      'the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    ],
    [
      { preemptionPolicy: 'Never' },
      'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
    ],
  ])('rejects %j', async (spec, why) => {
    expect((await refusalOf(server.create(pod('a', spec))))?.message).toBe(`pods "a" is forbidden: ${why}`);
  });
});

describe('DefaultTolerationSeconds plugin', () => {
  const both = [
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
  ];
  it.each([
    ['adds both tolerations', [], both],
    ['keeps tolerations of all taints', [{ operator: 'Exists' }], [{ operator: 'Exists' }]],
    [
      'adds the missing one of the two tolerations',
      [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }],
      [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }, both[1]],
    ],
  ])('%s', async (_name, tolerations, expected) => {
    expect((await specOf(pod('a', { tolerations })))['tolerations']).toEqual(expected);
  });
});

describe('TaintNodesByCondition plugin', () => {
  it('adds the not-ready taint to new nodes', async () => {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
    made.push(node);
    expect(await specOf(node)).toMatchObject({
      taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
    });
  });
});

describe('default classes', () => {
  const storageClass = (name: string, isDefault: string): object => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': isDefault } },
    provisioner: 'example.com/p',
  });
  const claim = (spec: object = {}): object => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'claim', namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  });

  it.each([
    ['if it is not set', {}, 'fast'],
    ['not if one is set', { storageClassName: 'slow' }, 'slow'],
    ['not if it is explicitly empty', { storageClassName: '' }, ''],
  ])('sets the default storage class %s', async (_name, spec, expected) => {
    await given(storageClass('slow', 'false'));
    await given(storageClass('fast', 'true'));
    const created = await specOf(claim(spec));
    await server.remove(claim());
    expect(created['storageClassName']).toBe(expected);
  });

  it('sets the default class of ingresses', async () => {
    await given({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'nginx', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      spec: { controller: 'example.com/nginx' },
    });
    const ingress = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'i', namespace: 'default' },
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    };
    made.push(ingress);
    expect(await specOf(ingress)).toMatchObject({ ingressClassName: 'nginx' });
  });
});

describe('RuntimeClass plugin', () => {
  const runtimeClass = {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'sandbox' },
    handler: 'sandbox',
    overhead: { podFixed: { memory: '64Mi' } },
    scheduling: { nodeSelector: { sandbox: 'yes' } },
  };

  it('sets overhead and scheduling constraints', async () => {
    await given(runtimeClass);
    expect(await specOf(pod('a', { runtimeClassName: 'sandbox' }))).toMatchObject({
      overhead: { memory: '64Mi' },
      nodeSelector: { sandbox: 'yes' },
    });
  });

  it.each([
    [{ runtimeClassName: 'missing' }, 'RuntimeClass "missing" not found'],
    [{ overhead: { memory: '1Mi' } }, 'Pod Overhead set without corresponding RuntimeClass defined Overhead'],
    [
      { runtimeClassName: 'sandbox', overhead: { memory: '1Mi' } },
      "Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    ],
    [
      { runtimeClassName: 'sandbox', nodeSelector: { sandbox: 'no' } },
      'conflict: runtimeClass.scheduling.nodeSelector[sandbox] = yes; pod.spec.nodeSelector[sandbox] = no',
    ],
  ])('rejects %j', async (spec, why) => {
    await given(runtimeClass);
    expect((await refusalOf(server.create(pod('a', spec))))?.message).toBe(
      `pods "a" is forbidden: pod rejected: ${why}`,
    );
  });
});
