import { KeyPool, seededRandom, VirtualClock } from '@slipway/base';
import { clusters, labels, type Machine, machines, nameOf } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { edit, getCondition, getV1beta1Condition, ownerReference, patchObject, secrets } from '@slipway/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  certificateSecret,
  controlPlaneCertificates,
  createKubeconfig,
  generateCertificates,
  kubeadmConfigs,
  type KubeadmControlPlane,
  kubeadmControlPlanes,
  kubeconfigSecret,
  kubeconfigServer,
  needsKubeconfigRotation,
} from '../src/index.js';
import { ControlPlaneFixture, key, namespace, testMachines, testMachineTemplates } from './control-plane-fixture.js';

const available =
  (replicas: number) =>
  (controlPlane: Frozen<KubeadmControlPlane>): boolean => {
    const { status } = controlPlane;
    const counts = [status?.replicas, status?.readyReplicas, status?.upToDateReplicas];
    return getCondition(controlPlane, 'Available')?.status === 'True' && counts.every((count) => count === replicas);
  };

describe('a control plane', () => {
  let fixture: ControlPlaneFixture;

  beforeEach(async () => {
    fixture = await ControlPlaneFixture.start();
  });
  afterEach(() => fixture.plane.stop());

  async function bringUp(spec: Partial<KubeadmControlPlane['spec']> = {}): Promise<void> {
    await fixture.createTemplate();
    await fixture.createControlPlane(spec);
    await fixture.until('available', available(spec.replicas ?? 1));
  }

  const condition = async (type: string) => getCondition(await fixture.controlPlane(), type);

  it('subtle behaviour 26: never makes a certificate anew once it is initialized, only says that it is missing', async () => {
    await bringUp();
    await fixture.client.delete(secrets, key('c-proxy'));
    await fixture.change(({ spec }) => void (spec.replicas = 3));
    await fixture.untilSays('ScalingUp', 'cluster certificates are missing');
    expect(await condition('CertificatesAvailable')).toMatchObject({
      status: 'False',
      reason: 'NotAvailable',
      message: 'Cluster certificate for proxy is not available, please check cluster certificate secrets',
    });
    expect((await condition('ScalingUp'))?.message).toBe(
      'Scaling up from 1 to 3 replicas is blocked because:\n* cluster certificates are missing or unknown',
    );
    expect(await fixture.machines()).toHaveLength(1);
    expect((await condition('Available'))?.message).toContain('Control plane certificates are not available');
  });

  it('says what is wrong with a certificate that the user brought, and makes no machine', async () => {
    const data = {
      'tls.crt': Buffer.from('nonsense').toString('base64'),
      'tls.key': Buffer.from('x').toString('base64'),
    };
    const metadata = { name: 'c-ca', namespace };
    await fixture.client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      type: 'kubernetes.io/tls',
      data,
    });
    await fixture.createTemplate();
    await fixture.createControlPlane();
    await fixture.untilSays('CertificatesAvailable', 'Secret c-ca: tls.crt is not a PEM-encoded certificate');
    await fixture.rounds(2);
    expect((await condition('CertificatesAvailable'))?.status).toBe('False');
    expect(await fixture.machines()).toEqual([]);
  });

  it('is not begun with any certificate that cannot work, and goes on when the user has corrected it', async () => {
    const metadata = { name: 'c-proxy', namespace };
    const data = { 'tls.crt': '' };
    await fixture.client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data });
    await fixture.createTemplate();
    await fixture.createControlPlane();
    await fixture.untilSays('CertificatesAvailable', 'Secret c-proxy: tls.crt is empty');
    await fixture.rounds(2);
    expect(await fixture.machines()).toEqual([]);
    await fixture.client.delete(secrets, key('c-proxy'));
    await fixture.until('available', available(1));
  });

  it('takes back what it made when a machine cannot be made, and says why', async () => {
    await fixture.createTemplate();
    fixture.quota.isExhausted = true;
    await fixture.createControlPlane();
    await fixture.untilSays('ScalingUp', 'the quota is exhausted');
    expect((await condition('ScalingUp'))?.message).toContain('is blocked because:\n* failed to create Machine: ');
    const left = await Promise.all(
      [testMachines, kubeadmConfigs].map((resource) => fixture.client.list(resource as never, { namespace })),
    );
    expect(left.map(({ items }) => items.length)).toEqual([0, 0]);
    const created = getV1beta1Condition((await fixture.controlPlane()) as never, 'MachinesCreated');
    expect(created).toMatchObject({ status: 'False', reason: 'MachineGenerationFailed', severity: 'Error' });
    fixture.quota.isExhausted = false;
    await fixture.until('available', available(1));
  });

  it('lets machines go although its template is gone', async () => {
    await bringUp({ replicas: 3 });
    await fixture.client.delete(testMachineTemplates, key('t'));
    const name = nameOf((await fixture.machines())[0] as Frozen<Machine>);
    await fixture.client.delete(machines, key(name));
    await fixture.until('gone', async () => (await fixture.machines()).length === 2);
    await fixture.untilSays(
      'ScalingUp',
      'Scaling up from 2 to 3 replicas is blocked because:\n* TestMachineTemplate does not exist',
    );
    await fixture.createTemplate();
    await fixture.until('available', available(3));
    expect((await fixture.machines()).map(nameOf)).not.toContain(name);
  });

  it('uses the authority that the user brought, and leaves it the user’s', async () => {
    const world = { clock: fixture.plane.clock, random: seededRandom(3), keys: new KeyPool({ size: 0 }) };
    const set = await generateCertificates(
      controlPlaneCertificates({ encryptionAlgorithm: 'ECDSA-P256' }).filter(({ purpose }) => purpose === 'ca'),
      world,
    );
    const secret = certificateSecret(
      set[0] as never,
      { namespace, name: 'c' },
      { apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x' },
    );
    await fixture.client.create(secrets, {
      ...secret,
      type: 'kubernetes.io/tls',
      metadata: { name: 'c-ca', namespace },
    });
    await bringUp();
    const kept = await fixture.client.get(secrets, key('c-ca'));
    expect(kept.data).toEqual(secret.data);
    expect(kept.metadata.ownerReferences).toBeUndefined();
    const made = await fixture.client.get(secrets, key('c-etcd'));
    expect(made.metadata.ownerReferences).toMatchObject([{ kind: 'KubeadmControlPlane', controller: true }]);
  });

  it('subtle behaviour 27: renews the kubeconfig at half-life, and keeps where it points', async () => {
    await bringUp();
    const controlPlane = await fixture.controlPlane();
    const authority = await fixture.client.get(secrets, key('c-ca'));
    const decode = (name: string): string => Buffer.from(authority.data?.[name] ?? '', 'base64').toString('utf8');
    // As if it had been made seven months ago.
    const clock = new VirtualClock(fixture.plane.clock.now() - 210 * 86_400_000);
    const world = { clock, random: seededRandom(4), keys: new KeyPool({ size: 0 }) };
    const old = await createKubeconfig(world, {
      clusterName: 'c',
      server: 'https://proxy.example:8443',
      authority: { certificate: decode('tls.crt'), key: decode('tls.key') },
      strength: 'ECDSA-P256',
    });
    const current = await fixture.client.get(secrets, key('c-kubeconfig'));
    const aged = kubeconfigSecret(key('c'), old, ownerReference(controlPlane, { controller: true }));
    await patchObject(
      fixture.client,
      secrets,
      current,
      edit(current, (draft) => void (draft.data = { ...aged.data })),
    );
    expect(needsKubeconfigRotation(aged, fixture.plane.clock.now())).toBe(true);
    await fixture.change(({ metadata }) => void (metadata.annotations = { look: 'again' }));
    const renewed = await fixture.plane.until(
      secrets,
      key('c-kubeconfig'),
      (secret) => !needsKubeconfigRotation(secret, fixture.plane.clock.now()),
    );
    expect(kubeconfigServer(renewed, 'c')).toBe('https://proxy.example:8443');
  });

  it('subtle behaviours 16 and 42: puts labels on what exists and takes them back, without replacing anything', async () => {
    await bringUp();
    const name = nameOf((await fixture.machines())[0] as Frozen<Machine>);
    const labelsOf = async () =>
      Promise.all(
        [machines, kubeadmConfigs, testMachines].map(
          async (resource) => (await fixture.client.get(resource as never, key(name))) as Frozen<Machine>,
        ),
      ).then((objects) => objects.map(({ metadata }) => metadata.labels?.['team']));
    await fixture.change(({ spec }) => void (spec.machineTemplate.metadata = { labels: { team: 'red' } }));
    await fixture.until('labelled', async () => (await labelsOf()).every((team) => team === 'red'));
    await fixture.change(({ spec }) => void delete spec.machineTemplate.metadata);
    await fixture.until('without labels', async () => (await labelsOf()).every((team) => team === undefined));
    expect((await fixture.machines()).map(nameOf)).toEqual([name]);
    const machine = await fixture.client.get(machines, key(name));
    expect(machine.metadata.labels).toHaveProperty([labels.controlPlane]);
  });

  it('does nothing while it is paused, and goes on afterwards', async () => {
    await fixture.createTemplate();
    const { metadata } = await fixture.createControlPlane();
    await fixture.change((draft) => void (draft.metadata.annotations = { 'cluster.x-k8s.io/paused': '' }));
    await fixture.rounds(3);
    expect(await condition('Paused')).toMatchObject({ status: 'True', reason: 'Paused' });
    expect(await fixture.machines()).toEqual([]);
    await fixture.change((draft) => void (draft.metadata.annotations = {}));
    await fixture.until('available', available(1));
    expect((await fixture.controlPlane()).metadata.uid).toBe(metadata.uid);
  });

  it('keeps what it saw last when the cluster is out of reach, and says so after five minutes (subtle behaviour 41)', async () => {
    await bringUp();
    fixture.plane.setReachable(key('c'), false);
    await fixture.plane.clock.advance(120_000);
    await fixture.change((draft) => void (draft.metadata.annotations = { look: 'again' }));
    await fixture.plane.clock.advance(10_000);
    expect((await condition('ControlPlaneComponentsHealthy'))?.status).toBe('True');
    await fixture.plane.clock.advance(300_000);
    await fixture.untilSays('ControlPlaneComponentsHealthy', 'Last successful probe');
    expect(await condition('ControlPlaneComponentsHealthy')).toMatchObject({
      status: 'Unknown',
      reason: 'ConnectionDown',
      message: expect.stringMatching(/^Last successful probe at 20/) as string,
    });
    const [machine] = await fixture.machines();
    expect(getCondition(machine as Frozen<Machine>, 'EtcdMemberHealthy')).toMatchObject({
      status: 'Unknown',
      reason: 'ConnectionDown',
    });
  });

  it('subtle behaviour 38: waits for workers, and lists them, before its machines go', async () => {
    await bringUp();
    const worker = await fixture.client.create(machines, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { name: 'worker', namespace, labels: { [labels.clusterName]: 'c' }, finalizers: ['test/hold'] },
      spec: {
        clusterName: 'c',
        bootstrap: { dataSecretName: 'x' },
        infrastructureRef: { apiGroup: testMachines.group, kind: 'TestMachine', name: 'worker' },
      },
    });
    await fixture.client.delete(kubeadmControlPlanes, key('cp'));
    await fixture.untilSays('Deleting', 'deletion blocked');
    expect(await condition('Deleting')).toMatchObject({
      status: 'True',
      reason: 'WaitingForWorkersDeletion',
      message: 'KubeadmControlPlane deletion blocked because following objects still exist:\n* Machines: worker',
    });
    expect((await fixture.machines()).filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([]);
    await patchObject(
      fixture.client,
      machines,
      worker,
      edit(worker, ({ metadata }) => void (metadata.finalizers = [])),
    );
    await fixture.client.delete(machines, key('worker'));
    // Told by the worker that went, not by the clock.
    await fixture.plane.clock.advance(1_000);
    expect(await condition('Deleting')).toMatchObject({
      reason: 'WaitingForMachineDeletion',
      message: 'Deleting 1 Machine',
    });
    const [left] = await fixture.machines();
    expect(left?.metadata.annotations ?? {}).not.toHaveProperty([
      'pre-terminate.delete.hook.machine.cluster.x-k8s.io/kcp-cleanup',
    ]);
  });

  it('is deleted even when its Cluster is gone', async () => {
    await bringUp();
    await fixture.client.delete(clusters, key('c'), { propagationPolicy: 'Orphan' });
    await fixture.client.delete(kubeadmControlPlanes, key('cp'));
    await fixture.rounds(3);
    await fixture.plane.untilGone(kubeadmControlPlanes as never, key('cp'));
    expect(await fixture.machines()).toEqual([]);
  });

  it('takes over machines that nobody controls, and refuses those of a distant version', async () => {
    await fixture.createTemplate();
    const orphan = (name: string, version: string): Promise<Frozen<Machine>> =>
      fixture.client.create(machines, {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'Machine',
        metadata: { name, namespace, labels: { [labels.clusterName]: 'c', [labels.controlPlane]: '' } },
        spec: {
          clusterName: 'c',
          version,
          bootstrap: { configRef: { apiGroup: kubeadmConfigs.group, kind: 'KubeadmConfig', name } },
          infrastructureRef: { apiGroup: testMachines.group, kind: 'TestMachine', name },
        },
      });
    await fixture.client.create(kubeadmConfigs, {
      apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmConfig',
      metadata: { name: 'old', namespace },
      spec: { verbosity: 1 },
    });
    await orphan('old', 'v1.33.0');
    await fixture.createControlPlane();
    await fixture.rounds(2);
    expect((await fixture.client.get(machines, key('old'))).metadata.ownerReferences).toBeUndefined();
    await fixture.changeMachine('old', ({ spec }) => void (spec.version = 'v1.34.0'));
    await fixture.until('adopted', async () => {
      const [machine] = await fixture.machines();
      return machine?.metadata.ownerReferences?.[0]?.kind === 'KubeadmControlPlane';
    });
    expect(await fixture.client.get(machines, key('old'))).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'KubeadmControlPlane', name: 'cp', controller: true }] },
    });
  });

  it('works with an external etcd, once the user has brought its certificates', async () => {
    await fixture.createTemplate();
    const etcd = {
      external: { endpoints: ['https://etcd:2379'], caFile: '/ca', certFile: '/crt', keyFile: '/key' },
    };
    const kubeadmConfigSpec = { clusterConfiguration: { encryptionAlgorithm: 'ECDSA-P256', etcd } } as const;
    await fixture.createControlPlane({ replicas: 2, kubeadmConfigSpec });
    await fixture.untilSays('CertificatesAvailable', 'external certificate not found');
    expect((await condition('CertificatesAvailable'))?.message).toBe(
      'external certificate not found: Secret c-apiserver-etcd-client; create it with the keys of the external etcd',
    );
    const world = { clock: fixture.plane.clock, random: seededRandom(5), keys: new KeyPool({ size: 0 }) };
    const [authority] = await generateCertificates(
      controlPlaneCertificates({ encryptionAlgorithm: 'ECDSA-P256' }).filter(({ purpose }) => purpose === 'etcd'),
      world,
    );
    const owner = { apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x' };
    const given = certificateSecret(authority as never, { namespace, name: 'c' }, owner);
    for (const name of ['c-etcd', 'c-apiserver-etcd-client'])
      await fixture.client.create(secrets, { ...given, type: 'Opaque', metadata: { name, namespace } });
    await fixture.change((draft) => void (draft.metadata.annotations = { look: 'again' }));
    await fixture.until('available', available(2));
    expect(await condition('EtcdClusterHealthy')).toBeUndefined();
    const [machine] = await fixture.machines();
    expect(getCondition(machine as Frozen<Machine>, 'EtcdPodHealthy')).toBeUndefined();
    expect(fixture.workload.calls.some((call) => call.includes('Etcd'))).toBe(false);
  });

  it('tells all that others read of it', async () => {
    await bringUp({ replicas: 3 });
    const { status, metadata } = await fixture.controlPlane();
    expect(status).toMatchObject({
      selector: 'cluster.x-k8s.io/cluster-name=c,cluster.x-k8s.io/control-plane',
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      upToDateReplicas: 3,
      version: 'v1.35.0',
      versions: [{ version: 'v1.35.0', replicas: 3 }],
      initialization: { controlPlaneInitialized: true },
      observedGeneration: metadata.generation,
      deprecated: { v1beta1: { readyReplicas: 3, updatedReplicas: 3, unavailableReplicas: 0 } },
    });
    const controlPlane = await fixture.controlPlane();
    const deprecated = ['Available', 'CertificatesAvailable', 'MachinesCreated', 'Resized', 'EtcdClusterHealthy'].map(
      (type) => getV1beta1Condition(controlPlane as never, type)?.status,
    );
    expect(deprecated).toEqual(['True', 'True', 'True', 'True', 'True']);
    expect(status?.conditions?.map(({ type }) => type)).toEqual([
      'Available',
      'CertificatesAvailable',
      'Initialized',
      'EtcdClusterHealthy',
      'ControlPlaneComponentsHealthy',
      'RollingOut',
      'Remediating',
      'ScalingDown',
      'ScalingUp',
      'MachinesReady',
      'MachinesUpToDate',
      'Paused',
      'Deleting',
    ]);
  });

  it('subtle behaviours 7 and 8: tells how it is even when it fails, but not that it has seen the change', async () => {
    await bringUp();
    const before = (await fixture.controlPlane()).status?.observedGeneration;
    await fixture.change(({ spec }) => {
      spec.machineTemplate.spec.infrastructureRef.kind = 'UnknownMachineTemplate';
      spec.replicas = 3;
    });
    await fixture.untilSays('ScalingUp', 'is not installed');
    const controlPlane = await fixture.controlPlane();
    expect(controlPlane.status?.observedGeneration).toBe(before);
    const scalingUp = getCondition(controlPlane, 'ScalingUp');
    expect(scalingUp?.observedGeneration).toBe(controlPlane.metadata.generation);
    expect(scalingUp?.message).toContain(
      'the kind UnknownMachineTemplate of infrastructure.cluster.x-k8s.io is not installed',
    );
  });

  it('subtle behaviour 43: finds its way back when its status is lost', async () => {
    await bringUp();
    await fixture.change((draft) => void delete draft.status);
    await fixture.change((draft) => void (draft.metadata.annotations = { moved: 'here' }));
    await fixture.until('available', available(1));
    expect(await fixture.machines()).toHaveLength(1);
  });
});
