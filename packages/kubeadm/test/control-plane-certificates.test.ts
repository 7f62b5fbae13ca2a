import { seededRandom, VirtualClock } from '@slipway/base';
import type { Machine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { KeyPool } from '@slipway/pki';
import { edit, getCondition, ownerReference, secrets } from '@slipway/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  certificateSecret,
  controlPlaneCertificates,
  createKubeconfig,
  generateCertificates,
  kubeconfigSecret,
} from '../src/index.js';
import { kubeconfigServer, needsKubeconfigRotation } from '../src/certificates/index.js';
import { patchObject } from '@slipway/testing/plane';
import { available, ControlPlaneFixture, key, namespace } from './control-plane-fixture.js';

describe('certificates of a control plane', () => {
  let fixture: ControlPlaneFixture;

  beforeEach(async () => {
    fixture = await ControlPlaneFixture.start();
  });
  afterEach(() => fixture.plane.stop());

  it('does not re-create a certificate of an initialized control plane, and reports that it is missing [14.26]', async () => {
    await fixture.bringUp();
    await fixture.client.delete(secrets, key('c-proxy'));
    await fixture.change(({ spec }) => void (spec.replicas = 3));
    await fixture.untilCondition('ScalingUp', 'cluster certificates are missing');
    expect(await fixture.condition('CertificatesAvailable')).toMatchObject({
      status: 'False',
      reason: 'NotAvailable',
      message: 'Cluster certificate for proxy is not available, please check cluster certificate secrets',
    });
    expect((await fixture.condition('ScalingUp'))?.message).toBe(
      'Scaling up from 1 to 3 replicas is blocked because:\n* cluster certificates are missing or unknown',
    );
    expect(await fixture.machines()).toHaveLength(1);
    expect((await fixture.condition('Available'))?.message).toContain('Control plane certificates are not available');
  });

  it('reports an invalid certificate of the user, and creates no machine', async () => {
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
    await fixture.untilCondition('CertificatesAvailable', 'Secret c-ca: tls.crt is not a PEM-encoded certificate');
    await fixture.rounds(2);
    expect((await fixture.condition('CertificatesAvailable'))?.status).toBe('False');
    expect(await fixture.machines()).toEqual([]);
  });

  it('creates no machine with an unusable certificate, and continues when the user has replaced it', async () => {
    const metadata = { name: 'c-proxy', namespace };
    const data = { 'tls.crt': '' };
    await fixture.client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data });
    await fixture.createTemplate();
    await fixture.createControlPlane();
    await fixture.untilCondition('CertificatesAvailable', 'Secret c-proxy: tls.crt is empty');
    await fixture.rounds(2);
    expect(await fixture.machines()).toEqual([]);
    await fixture.client.delete(secrets, key('c-proxy'));
    await fixture.until('available', available(1));
  });

  it('uses the CA of the user, and does not take ownership of it', async () => {
    const dependencies = { clock: fixture.plane.clock, random: seededRandom(3), keys: new KeyPool({ size: 0 }) };
    const set = await generateCertificates(
      controlPlaneCertificates({ encryptionAlgorithm: 'ECDSA-P256' }).filter(({ purpose }) => purpose === 'ca'),
      dependencies,
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
    await fixture.bringUp();
    const kept = await fixture.client.get(secrets, key('c-ca'));
    expect(kept.data).toEqual(secret.data);
    expect(kept.metadata.ownerReferences).toBeUndefined();
    const made = await fixture.client.get(secrets, key('c-etcd'));
    expect(made.metadata.ownerReferences).toMatchObject([{ kind: 'KubeadmControlPlane', controller: true }]);
  });

  it('renews the kubeconfig at half-life, and keeps its server [14.27]', async () => {
    await fixture.bringUp();
    const controlPlane = await fixture.controlPlane();
    const authority = await fixture.client.get(secrets, key('c-ca'));
    const decode = (name: string): string => Buffer.from(authority.data?.[name] ?? '', 'base64').toString('utf8');
    // Create the kubeconfig as of seven months ago, so that it must be rotated.
    const clock = new VirtualClock(fixture.plane.clock.now() - 210 * 86_400_000);
    const dependencies = { clock, random: seededRandom(4), keys: new KeyPool({ size: 0 }) };
    const old = await createKubeconfig(dependencies, {
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

  it('works with an external etcd once the user has provided its certificates', async () => {
    await fixture.createTemplate();
    const etcd = {
      external: { endpoints: ['https://etcd:2379'], caFile: '/ca', certFile: '/crt', keyFile: '/key' },
    };
    const kubeadmConfigSpec = { clusterConfiguration: { encryptionAlgorithm: 'ECDSA-P256', etcd } } as const;
    await fixture.createControlPlane({ replicas: 2, kubeadmConfigSpec });
    await fixture.untilCondition('CertificatesAvailable', 'external certificate not found');
    expect((await fixture.condition('CertificatesAvailable'))?.message).toBe(
      'external certificate not found: Secret c-apiserver-etcd-client; create it with the keys of the external etcd',
    );
    const dependencies = { clock: fixture.plane.clock, random: seededRandom(5), keys: new KeyPool({ size: 0 }) };
    const [authority] = await generateCertificates(
      controlPlaneCertificates({ encryptionAlgorithm: 'ECDSA-P256' }).filter(({ purpose }) => purpose === 'etcd'),
      dependencies,
    );
    const owner = { apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x' };
    const given = certificateSecret(authority as never, { namespace, name: 'c' }, owner);
    for (const name of ['c-etcd', 'c-apiserver-etcd-client'])
      await fixture.client.create(secrets, { ...given, type: 'Opaque', metadata: { name, namespace } });
    await fixture.change((draft) => void (draft.metadata.annotations = { look: 'again' }));
    await fixture.until('available', available(2));
    expect(await fixture.condition('EtcdClusterHealthy')).toBeUndefined();
    const [machine] = await fixture.machines();
    expect(getCondition(machine as Frozen<Machine>, 'EtcdPodHealthy')).toBeUndefined();
    expect(fixture.workload.calls.some((call) => call.includes('Etcd'))).toBe(false);
  });
});
