import {
  getV1beta1Condition,
  labels,
  type MachinePool,
  machinePools,
  machines,
  type V1beta1Conditioned,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { type Client, configMaps, edit, getCondition, keyOf, secrets } from '@slipway/runtime';
import { patchObject, type TestPlane } from '@slipway/testing/plane';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initLockName } from '../src/config/init-lock.js';
import { kubeadmConfigs } from '../src/index.js';
import type { KubeadmConfig } from '../src/api/index.js';
import { ConfigFixture, created, dataOf, infrastructureRef, key, namespace, saying } from './config-fixture.js';

let fixture: ConfigFixture;
let plane: TestPlane;
let client: Client;

beforeEach(async () => {
  fixture = await ConfigFixture.start();
  ({ plane, client } = fixture);
});
afterEach(() => plane.stop());

describe('KubeadmConfig controller', () => {
  it('waits for the infrastructure, then for the control plane, and reports it', async () => {
    await fixture.machineWithConfig('w', false);
    const waiting = await plane.until(
      kubeadmConfigs,
      key('w'),
      saying('Waiting for Cluster status.infrastructureReady to be true'),
    );
    expect(getCondition(waiting, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'NotReady',
      message:
        '* DataSecretAvailable: Waiting for Cluster status.infrastructureReady to be true\n* CertificatesAvailable: Condition not yet reported',
    });
    expect(getV1beta1Condition(waiting as V1beta1Conditioned, 'Ready')).toMatchObject({
      status: 'False',
      severity: 'Info',
      reason: 'WaitingForClusterInfrastructure',
    });
    await fixture.provision();
    await plane.until(kubeadmConfigs, key('w'), saying('Waiting for Cluster control plane to be initialized'));
  });

  it('waits for the condition ControlPlaneInitialized; the latched status field of the Cluster is not enough [14.28]', async () => {
    await fixture.provision();
    await fixture.changeCluster((draft) => {
      draft.status = {
        ...draft.status,
        initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
      };
    });
    await fixture.machineWithConfig('w', false);
    await plane.until(kubeadmConfigs, key('w'), saying('Waiting for Cluster control plane to be initialized'));
    await plane.clock.advance(60_000);
    expect((await client.get(kubeadmConfigs, key('w'))).status?.initialization?.dataSecretCreated).toBeUndefined();
  });

  it('initializes one control plane machine under the lock, and generates certificates without a control plane object', async () => {
    await fixture.provision();
    await fixture.machineWithConfig('first', true);
    const config = await plane.until(kubeadmConfigs, key('first'), created);
    expect(config.status).toMatchObject({ dataSecretName: 'first', observedGeneration: config.metadata.generation });
    expect(getCondition(config, 'Ready')).toMatchObject({ status: 'True', reason: 'Ready' });
    expect(getV1beta1Condition(config as V1beta1Conditioned, 'Ready')).toMatchObject({ status: 'True' });
    const secret = await client.get(secrets, key('first'));
    expect(secret).toMatchObject({
      type: 'cluster.x-k8s.io/secret',
      metadata: {
        labels: { [labels.clusterName]: 'c' },
        ownerReferences: [{ kind: 'KubeadmConfig', name: 'first', uid: config.metadata.uid, controller: true }],
      },
    });
    expect(Buffer.from(secret.data?.['format'] ?? '', 'base64').toString()).toBe('cloud-config');
    expect(dataOf(secret)).toContain('kubeadm init --config /run/kubeadm/kubeadm.yaml');
    const lock = await client.get(configMaps, key(initLockName('c')));
    expect(lock.data).toEqual({ 'lock-information': '{"machineName":"first"}' });
    for (const purpose of ['ca', 'etcd', 'proxy', 'sa'])
      expect((await client.get(secrets, key(`c-${purpose}`))).metadata.ownerReferences).toMatchObject([
        { kind: 'KubeadmConfig', name: 'first', controller: true },
      ]);

    await fixture.machineWithConfig('second', true);
    await plane.clock.advance(61_000);
    const second = await plane.until(kubeadmConfigs, key('second'), saying('control plane to be initialized'));
    expect(created(second)).toBe(false);
  });

  it('takes the lock from a machine that no longer exists [14.28]', async () => {
    await fixture.provision();
    await client.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: initLockName('c'), namespace },
      data: { 'lock-information': '{"machineName":"gone"}' },
    });
    await fixture.machineWithConfig('next', true);
    await plane.until(kubeadmConfigs, key('next'), created);
    const lock = await client.get(configMaps, key(initLockName('c')));
    expect(lock.data).toEqual({ 'lock-information': '{"machineName":"next"}' });
  });

  it('releases the lock when the machine cannot be initialized [14.28]', async () => {
    await fixture.provision();
    await fixture.machineWithConfig('bad', true, {
      clusterConfiguration: { encryptionAlgorithm: 'ECDSA-P256' },
      files: [{ path: '/a', contentFrom: { secret: { name: 'absent', key: 'k' } } }],
    });
    const config = await plane.until(kubeadmConfigs, key('bad'), saying('Failed to prepare spec.files'));
    expect(getCondition(config, 'DataSecretAvailable')).toMatchObject({
      status: 'False',
      reason: 'NotAvailable',
      message: 'Failed to prepare spec.files: secret not found: absent, required for file /a',
    });
    expect(config.status?.observedGeneration).toBeUndefined();
    await plane.untilGone(configMaps, key(initLockName('c')));
    await client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'absent', namespace },
      data: { k: Buffer.from('hello').toString('base64') },
    });
    await plane.until(kubeadmConfigs, key('bad'), created);
    expect(dataOf(await client.get(secrets, key('bad')))).toContain('hello');
  });

  it('does not generate certificates for a cluster whose control plane object generates them', async () => {
    await fixture.provision();
    await fixture.changeCluster((draft) => {
      draft.spec = {
        ...draft.spec,
        controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'c' },
      };
    });
    await fixture.machineWithConfig('first', true);
    const config = await plane.until(
      kubeadmConfigs,
      key('first'),
      (each) => getCondition(each, 'CertificatesAvailable')?.status === 'False',
    );
    expect(getCondition(config, 'CertificatesAvailable')?.message).toContain('Secret c-ca does not exist');
    expect(getV1beta1Condition(config as V1beta1Conditioned, 'CertificatesAvailable')).toMatchObject({
      reason: 'CertificatesGenerationFailed',
      severity: 'Warning',
    });
  });

  it('joins workers, with a taint that only their rendered data has, and control planes with the certificates [14.29]', async () => {
    const workload = await fixture.readyCluster();
    await fixture.machineWithConfig('w', false);
    const worker = await plane.until(kubeadmConfigs, key('w'), created);
    const token = worker.spec?.joinConfiguration?.discovery?.bootstrapToken;
    expect(token).toMatchObject({
      token: expect.stringMatching(/^[a-z0-9]{6}\.[a-z0-9]{16}$/) as string,
      apiServerEndpoint: '10.0.0.1:6443',
      caCertHashes: [expect.stringMatching(/^sha256:/) as string],
    });
    const id = token?.token?.slice(0, 6) ?? '';
    expect(await workload.get(secrets, { namespace: 'kube-system', name: `bootstrap-token-${id}` })).toMatchObject({
      type: 'bootstrap.kubernetes.io/token',
    });
    const data = dataOf(await client.get(secrets, key('w')));
    expect(data).toContain('kubeadm join');
    expect(data).not.toContain('ca.key');
    expect(data).toContain('node.cluster.x-k8s.io/uninitialized');
    expect(worker.spec?.joinConfiguration?.nodeRegistration).toBeUndefined();
    await plane.untilGone(configMaps, key(initLockName('c')));

    await fixture.machineWithConfig('cp', true);
    await plane.until(kubeadmConfigs, key('cp'), created);
    expect(dataOf(await client.get(secrets, key('cp')))).toContain('/etc/kubernetes/pki/ca.key');
  });

  it('refreshes the token while the machine has no Node, and not afterwards [14.32]', async () => {
    const workload = await fixture.readyCluster();
    await fixture.machineWithConfig('w', false);
    const worker = await plane.until(kubeadmConfigs, key('w'), created);
    const id = worker.spec?.joinConfiguration?.discovery?.bootstrapToken?.token?.slice(0, 6) ?? '';
    const name = `bootstrap-token-${id}`;
    const expiry = async (): Promise<number> => {
      const secret = await workload.get(secrets, { namespace: 'kube-system', name });
      return Date.parse(Buffer.from(secret.data?.['expiration'] ?? '', 'base64').toString());
    };
    const first = await expiry();
    await plane.clock.advance(5.5 * 60_000);
    expect(await expiry()).toBeGreaterThan(first);
    const machine = await client.get(machines, key('w'));
    await patchObject(
      client,
      machines,
      machine,
      edit(machine, (draft) => {
        draft.status = { ...draft.status, nodeRef: { name: 'w' } };
      }),
    );
    await plane.settle();
    const last = await expiry();
    await plane.clock.advance(11 * 60_000);
    expect(await expiry()).toBe(last);
  });

  it('rotates the token of a pool whose nodes have all joined [14.32]', async () => {
    await fixture.readyCluster();
    const configRef = { apiGroup: kubeadmConfigs.group, kind: kubeadmConfigs.kind, name: 'pool' };
    const pool: MachinePool = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachinePool',
      metadata: { name: 'pool', namespace, labels: { [labels.clusterName]: 'c' } },
      spec: {
        clusterName: 'c',
        replicas: 1,
        template: {
          spec: { clusterName: 'c', version: 'v1.36.1', bootstrap: { configRef }, infrastructureRef },
        },
      },
    };
    const stored = await client.create(machinePools, pool);
    await fixture.createConfig(stored);
    const config = await plane.until(kubeadmConfigs, key('pool'), created);
    const tokenOf = (each: Frozen<KubeadmConfig>): string =>
      each.spec?.joinConfiguration?.discovery?.bootstrapToken?.token ?? '';
    const first = tokenOf(config);
    await patchObject(
      client,
      machinePools,
      stored,
      edit(stored, (draft) => {
        draft.status = { ...draft.status, nodeRefs: [{ name: 'n', uid: 'u' }] };
      }),
    );
    await plane.clock.advance(11 * 60_000);
    const rotated = await plane.until(kubeadmConfigs, key('pool'), (each) => tokenOf(each) !== first);
    expect(dataOf(await client.get(secrets, key('pool')))).toContain(tokenOf(rotated));
    expect(dataOf(await client.get(secrets, key('pool')))).not.toContain(first);
  });

  it('adopts the data Secret of its Machine after a move, which drops the status [14.43]', async () => {
    await fixture.provision();
    const machine = await fixture.createMachine('moved', true);
    const named = await patchObject(
      client,
      machines,
      machine,
      edit(machine, (draft) => {
        draft.spec.bootstrap.dataSecretName = 'moved';
      }),
    );
    await client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'moved', namespace, labels: { [labels.clusterName]: 'c' } },
      type: 'cluster.x-k8s.io/secret',
      data: { value: 'eA==', format: 'eA==' },
    });
    const config = await fixture.createConfig(named);
    const restored = await plane.until(kubeadmConfigs, key('moved'), created);
    expect(restored.status?.dataSecretName).toBe('moved');
    expect(getCondition(restored, 'Ready')?.status).toBe('True');
    const secret = await client.get(secrets, key('moved'));
    expect(secret.metadata.ownerReferences).toMatchObject([{ kind: 'KubeadmConfig', uid: config.metadata.uid }]);
    expect(secret.data?.['value']).toBe('eA==');
  });

  it('waits for the workload cluster to answer', async () => {
    await fixture.provision();
    await fixture.machineWithConfig('first', true);
    await plane.until(kubeadmConfigs, key('first'), created);
    await plane.addWorkload(key('c'));
    plane.setReachable(key('c'), false);
    await fixture.initialize();
    await fixture.machineWithConfig('w', false);
    await plane.until(kubeadmConfigs, key('w'), saying('Waiting for a connection to the workload cluster'));
    plane.setReachable(key('c'), true);
    const joined = await plane.until(kubeadmConfigs, key('w'), created);
    expect(getCondition(joined, 'Ready')?.status).toBe('True');
  });

  it('never resets dataSecretCreated [14.1]', async () => {
    await fixture.readyCluster();
    await fixture.changeCluster((draft) => {
      draft.status = { ...draft.status, conditions: [] };
    });
    await plane.settle();
    const config = await client.get(kubeadmConfigs, key('first'));
    expect(created(config)).toBe(true);
    expect(getCondition(config, 'DataSecretAvailable')?.status).toBe('True');
  });

  it('does nothing while it is paused', async () => {
    await fixture.provision();
    await fixture.changeCluster((draft) => {
      draft.spec = { ...draft.spec, paused: true };
    });
    await fixture.machineWithConfig('first', true);
    const config = await plane.until(
      kubeadmConfigs,
      key('first'),
      (each) => getCondition(each, 'Paused')?.status === 'True',
    );
    await plane.settle();
    expect(created(await client.get(kubeadmConfigs, keyOf(config)))).toBe(false);
    await fixture.changeCluster((draft) => {
      draft.spec = { ...draft.spec, paused: false };
    });
    await plane.until(kubeadmConfigs, key('first'), created);
  });
});
