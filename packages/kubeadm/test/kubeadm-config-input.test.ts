import { getV1beta1Condition, labels, machines, type V1beta1Conditioned } from '@slipway/cluster-api';
import { type Client, configMaps, edit, events, getCondition, ownerReference, secrets } from '@slipway/runtime';
import { patchObject, type TestPlane } from '@slipway/testing/plane';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initLockName } from '../src/config/init-lock.js';
import { kubeadmConfigs, kubeadmControlPlanes } from '../src/index.js';
import { ConfigFixture, created, dataOf, key, namespace, saying } from './config-fixture.js';

let fixture: ConfigFixture;
let plane: TestPlane;
let client: Client;

beforeEach(async () => {
  fixture = await ConfigFixture.start();
  ({ plane, client } = fixture);
});
afterEach(() => plane.stop());

const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function createSecret(name: string, data: Record<string, string>, type = 'Opaque'): Promise<void> {
  const encoded = Object.fromEntries(Object.entries(data).map(([entry, text]) => [entry, base64(text)]));
  await client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type,
    data: encoded,
  });
}

const certificatesSaying =
  (message: string) =>
  (config: Parameters<typeof created>[0]): boolean =>
    getCondition(config, 'CertificatesAvailable')?.message.includes(message) === true;

describe('the input of a KubeadmConfig', () => {
  it('reports an invalid CA with the name of its Secret, and continues when it is replaced', async () => {
    await fixture.provision();
    await createSecret('c-ca', { 'tls.crt': 'nonsense', 'tls.key': 'more of it' });
    await fixture.machineWithConfig('first', true);
    const config = await plane.until(
      kubeadmConfigs,
      key('first'),
      certificatesSaying('Secret c-ca: tls.crt is not a PEM-encoded certificate'),
    );
    expect(getCondition(config, 'CertificatesAvailable')).toMatchObject({ status: 'False', reason: 'NotAvailable' });
    expect(JSON.stringify(config.status)).not.toContain('more of it');
    expect(getV1beta1Condition(config as V1beta1Conditioned, 'CertificatesAvailable')).toMatchObject({
      reason: 'CertificatesCorrupted',
      severity: 'Error',
    });
    await plane.untilGone(configMaps, key(initLockName('c')));
    await client.delete(secrets, key('c-ca'));
    await plane.until(kubeadmConfigs, key('first'), created);
  });

  it('uses certificates of the user unchanged, and sets no owner', async () => {
    await fixture.readyCluster();
    const before = await client.get(secrets, key('c-ca'));
    const ours = await patchObject(
      client,
      secrets,
      before,
      edit(before, (draft) => {
        draft.metadata.ownerReferences = [];
      }),
    );
    await fixture.machineWithConfig('w', false);
    await plane.until(kubeadmConfigs, key('w'), created);
    expect((await client.get(secrets, key('c-ca'))).metadata.resourceVersion).toBe(ours.metadata.resourceVersion);
  });

  it('reports a CA that was deleted later, and does not re-create it [14.26]', async () => {
    await fixture.readyCluster();
    await client.delete(secrets, key('c-ca'));
    await fixture.machineWithConfig('w', false);
    await plane.until(kubeadmConfigs, key('w'), certificatesSaying('Secret c-ca does not exist'));
    await plane.settle();
    await expect(client.get(secrets, key('c-ca'))).rejects.toThrow('not found');
  });

  it('reports a password whose Secret does not exist', async () => {
    await fixture.provision();
    await fixture.machineWithConfig('first', true, {
      clusterConfiguration: { encryptionAlgorithm: 'ECDSA-P256' },
      users: [{ name: 'u', passwdFrom: { secret: { name: 'absent', key: 'k' } } }],
    });
    const config = await plane.until(kubeadmConfigs, key('first'), saying('Failed to read password'));
    expect(getCondition(config, 'DataSecretAvailable')?.message).toBe(
      'Failed to read password from secrets for spec.users: secret not found: absent, required for the password of user u',
    );
    expect(getV1beta1Condition(config as V1beta1Conditioned, 'DataSecretAvailable')).toMatchObject({
      reason: 'DataSecretGenerationFailed',
      severity: 'Warning',
    });
    await createSecret('absent', { k: 'hashed' });
    await plane.until(kubeadmConfigs, key('first'), created);
    expect(dataOf(await client.get(secrets, key('first')))).toContain('passwd: hashed');
  });

  it('rejects a control plane configuration on a worker', async () => {
    await fixture.readyCluster();
    await fixture.machineWithConfig('w', false, { joinConfiguration: { controlPlane: {} } });
    const refused = await plane.until(kubeadmConfigs, key('w'), saying('Machine is a Worker'));
    expect(created(refused)).toBe(false);
    const patch = { spec: { joinConfiguration: { controlPlane: null } } };
    await client.patch(kubeadmConfigs, key('w'), { type: 'merge', patch });
    await plane.until(kubeadmConfigs, key('w'), created);
  });

  it('rejects a Kubernetes version without a supported kubeadm API [14.30]', async () => {
    await fixture.provision();
    const machine = await fixture.createMachine('old', true);
    const old = await patchObject(
      client,
      machines,
      machine,
      edit(machine, (draft) => {
        draft.spec.version = 'v1.20.0';
      }),
    );
    await fixture.createConfig(old);
    const refused = await plane.until(kubeadmConfigs, key('old'), saying('1.20'));
    expect(getCondition(refused, 'DataSecretAvailable')?.status).toBe('False');
    await patchObject(
      client,
      machines,
      await client.get(machines, key('old')),
      edit(await client.get(machines, key('old')), (draft) => {
        draft.spec.version = 'v1.30.0-rc.1';
      }),
    );
    await plane.until(kubeadmConfigs, key('old'), created);
    expect(dataOf(await client.get(secrets, key('old')))).toContain('kubeadm.k8s.io/v1beta3');
  });

  it('creates no token for file discovery, and completes it from the Cluster', async () => {
    const workload = await fixture.readyCluster();
    const before = (await workload.list(secrets, { namespace: 'kube-system' })).items.length;
    await fixture.machineWithConfig('w', false, {
      joinConfiguration: {
        discovery: {
          file: {
            kubeConfigPath: '/etc/kubernetes/discovery.conf',
            kubeConfig: {
              user: { exec: { command: '/usr/bin/credential', apiVersion: 'client.authentication.k8s.io/v1' } },
            },
          },
        },
      },
    });
    const config = await plane.until(kubeadmConfigs, key('w'), created);
    expect(config.spec?.joinConfiguration?.discovery?.bootstrapToken).toBeUndefined();
    expect(config.spec?.joinConfiguration?.discovery?.file?.kubeConfig?.cluster?.server).toBe('https://10.0.0.1:6443');
    expect(dataOf(await client.get(secrets, key('w')))).toContain('/etc/kubernetes/discovery.conf');
    expect((await workload.list(secrets, { namespace: 'kube-system' })).items).toHaveLength(before);
  });

  it('renders the version of the control plane into template files', async () => {
    await fixture.readyCluster();
    await client.create(kubeadmControlPlanes, {
      apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmControlPlane',
      // Paused, so that no controller reconciles it.
      metadata: { name: 'cp', namespace, annotations: { 'cluster.x-k8s.io/paused': '' } },
      spec: {
        version: 'v1.36.1',
        machineTemplate: {
          spec: {
            infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachineTemplate', name: 't' },
          },
        },
      },
    });
    await fixture.changeCluster((draft) => {
      draft.spec.controlPlaneRef = {
        apiGroup: 'controlplane.cluster.x-k8s.io',
        kind: 'KubeadmControlPlane',
        name: 'cp',
      };
    });
    await fixture.machineWithConfig('w', false, {
      files: [{ path: '/version', content: 'is {{ .controlPlane.version }}', contentFormat: 'Template' }],
    });
    await plane.until(kubeadmConfigs, key('w'), created);
    expect(dataOf(await client.get(secrets, key('w')))).toContain('is v1.36.1');
  });

  it('does not overwrite a Secret of the same name with another owner', async () => {
    await fixture.provision();
    const machine = await fixture.createMachine('taken', true);
    const named = await patchObject(
      client,
      machines,
      machine,
      edit(machine, (draft) => {
        draft.spec.bootstrap.dataSecretName = 'taken';
      }),
    );
    const other = await client.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'other', namespace },
    });
    const owner = ownerReference(other, { controller: true });
    await client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'taken', namespace, labels: { [labels.clusterName]: 'c' }, ownerReferences: [owner] },
      data: { value: 'eA==' },
    });
    await fixture.createConfig(named);
    const config = await plane.until(kubeadmConfigs, key('taken'), saying('already controlled by ConfigMap other'));
    expect(getCondition(config, 'DataSecretAvailable')?.status).toBe('False');
    expect((await client.get(secrets, key('taken'))).metadata.ownerReferences).toMatchObject([{ kind: 'ConfigMap' }]);
  });

  it('records an event when its token was deleted from the workload cluster', async () => {
    const workload = await fixture.readyCluster();
    await fixture.machineWithConfig('w', false);
    const config = await plane.until(kubeadmConfigs, key('w'), created);
    const token = config.spec?.joinConfiguration?.discovery?.bootstrapToken?.token ?? '';
    await workload.delete(secrets, { namespace: 'kube-system', name: `bootstrap-token-${token.slice(0, 6)}` });
    await plane.clock.advance(5.5 * 60_000);
    const { items } = await client.list(events, { namespace });
    const reported = items.find(({ reason }) => reason === 'BootstrapTokenLost');
    expect(reported).toMatchObject({ type: 'Warning', regarding: { kind: 'KubeadmConfig', name: 'w' } });
    expect(reported?.note).toContain('Machine w may not be able to join');
    expect(reported?.note).not.toContain(token);
    expect(getCondition(await client.get(kubeadmConfigs, key('w')), 'DataSecretAvailable')?.status).toBe('True');
  });

  it('logs the reason when the workload cluster rejects tokens, and clears the stale condition', async () => {
    await fixture.provision();
    await fixture.machineWithConfig('first', true);
    await plane.until(kubeadmConfigs, key('first'), created);
    await plane.addWorkload(key('c'));
    await fixture.machineWithConfig('w', false);
    await plane.until(kubeadmConfigs, key('w'), saying('control plane to be initialized'));
    plane.refuse(key('c'), 'create');
    await fixture.initialize();
    const failed = await plane.until(
      kubeadmConfigs,
      key('w'),
      (each) => getCondition(each, 'DataSecretAvailable')?.status === 'Unknown',
    );
    expect(getCondition(failed, 'DataSecretAvailable')).toMatchObject({
      reason: 'InternalError',
      message: 'Please check controller logs for errors',
    });
    plane.refuse(key('c'), undefined);
    await plane.until(kubeadmConfigs, key('w'), created);
  });

  it('is deleted without a finalizer', async () => {
    await fixture.provision();
    await fixture.machineWithConfig('first', true);
    const config = await plane.until(kubeadmConfigs, key('first'), created);
    expect(config.metadata.finalizers).toBeUndefined();
    await client.delete(kubeadmConfigs, key('first'));
    await plane.untilGone(kubeadmConfigs, key('first'));
  });
});
