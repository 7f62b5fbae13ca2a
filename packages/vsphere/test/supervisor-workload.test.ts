import type { ObjectStore } from '@slipway/apiserver';
import { clusters } from '@slipway/cluster-api';
import { configMaps, ifPresent, namespaces, type ObjectKey, roleBindings, secrets, services } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { supervisorClusters } from '../src/index.js';
import { type ProviderServiceAccount, providerServiceAccounts } from '../src/api/index.js';
import { createCluster, offer } from './support/supervisor-manifests.js';
import { conditionOf, namespace } from './support/object-environment.js';
import type { PlaneEnvironment } from './support/plane-environment.js';
import { startSupervisorEnvironment } from './support/supervisor-environment.js';

const name = 'prod';
const key: ObjectKey = { namespace, name };
const credentials = { username: 'administrator@vsphere.local', password: 'correct horse battery staple' };

const account = (accountName: string, more: object = {}): object => ({
  apiVersion: 'vmware.infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'ProviderServiceAccount',
  metadata: { name: accountName, namespace },
  spec: {
    ref: { name },
    rules: [{ apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['get', 'list'] }],
    targetNamespace: 'vmware-system-csi',
    targetSecretName: 'pvcsi-token',
    ...more,
  },
});

const clusterInfo = (server: string): { data: { kubeconfig: string } } => ({
  data: { kubeconfig: JSON.stringify({ clusters: [{ name: '', cluster: { server } }], contexts: [], users: [] }) },
});

describe('objects that the Supervisor writes to a workload cluster', () => {
  let environment: PlaneEnvironment;
  const workloadObject = (resource: string, inNamespace: string, objectName: string) =>
    environment.dev.workloads.get(key)?.objects?.get(resource, inNamespace, objectName) as
      | Record<string, unknown>
      | undefined;
  const sayServer = (server: string) =>
    environment.client.patch(
      configMaps,
      { namespace: 'kube-public', name: 'cluster-info' },
      { type: 'merge', patch: clusterInfo(server) },
    );
  const discoveryBecomes = (status: string) =>
    environment.untilOne(
      supervisorClusters,
      name,
      (one) => conditionOf(one, 'ServiceDiscoveryReady')?.status === status,
    );

  beforeAll(async () => {
    environment = await startSupervisorEnvironment({ networkProvider: 'vsphere-network' });
    await offer(environment);
    for (const each of ['capv-system', 'kube-public'])
      await environment.client
        .create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: each } })
        .catch(() => undefined);
    for (const place of [
      { namespace: 'capv-system', name: 'capv-manager-bootstrap-credentials' },
      { namespace, name: 'identity' },
    ])
      await environment.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: place,
        stringData: credentials,
      });
    await createCluster(environment, { name, workers: 1 });
    await environment.untilOne(clusters, name, (one) => conditionOf(one, 'Available')?.status === 'True');
  });
  afterAll(() => environment.stop());

  it('reports a Supervisor address that is a DNS name, and retries when it changes [vsphere 54]', async () => {
    await sayServer('https://supervisor.example.com:6443');
    // The condition may have reported before that the cluster is not reachable.
    const reported = await environment.untilOne(supervisorClusters, name, (one) =>
      /which is not an IP address/.test(conditionOf(one, 'ServiceDiscoveryReady')?.message ?? ''),
    );
    expect(conditionOf(reported, 'ServiceDiscoveryReady')?.status).toBe('False');
  });

  it("uses the address in cluster-info, and that of the Supervisor's load balancer while it has one", async () => {
    await sayServer('https://192.0.2.7:6443');
    await discoveryBecomes('True');
    expect(workloadObject('services', 'default', 'supervisor')?.['spec']).toMatchObject({
      clusterIP: 'None',
      ports: [{ port: 6443, targetPort: 6443 }],
    });
    const addresses = () => JSON.stringify(workloadObject('endpoints', 'default', 'supervisor')?.['subsets']);
    expect(addresses()).toContain('192.0.2.7');
    const place = { namespace: 'kube-system', name: 'kube-apiserver-lb-svc' };
    await environment.create(services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: place,
      spec: { type: 'LoadBalancer', ports: [{ port: 6443 }] },
    });
    const status = { loadBalancer: { ingress: [{ ip: '203.0.113.9' }] } };
    await environment.client.patch(services, place, { type: 'merge', patch: { status } }, { subresource: 'status' });
    await expect.poll(addresses).toContain('203.0.113.9');
    await environment.client.delete(services, place);
    await expect.poll(addresses).toContain('192.0.2.7');
  });

  it('writes a token with the permissions of a ProviderServiceAccount, and reports it in the status', async () => {
    await environment.create(providerServiceAccounts, account('pvcsi'));
    const ready = await environment.untilOne<ProviderServiceAccount>(
      providerServiceAccounts,
      'pvcsi',
      (one) => one.status?.ready === true,
    );
    expect(ready.status).toEqual({ ready: true });
    const own = await environment.get(secrets, 'pvcsi-secret');
    expect(own.metadata.labels).toMatchObject({ 'cluster.x-k8s.io/cluster-name': name });
    const delivered = workloadObject('secrets', 'vmware-system-csi', 'pvcsi-token') as { data?: object } | undefined;
    expect(Object.keys(delivered?.data ?? {}).sort()).toEqual(['ca.crt', 'namespace', 'token']);
    expect(delivered?.data).toEqual(own.data);
    await environment.untilOne(
      supervisorClusters,
      name,
      (one) => conditionOf(one, 'ProviderServiceAccountsReady')?.status === 'True',
    );
  });

  it('replaces a binding to another role, because roleRef is immutable', async () => {
    const other = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'pvcsi', namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'other' },
    };
    // A reconcile between deletion and creation may create the object again, so both are repeated.
    await expect
      .poll(async () => {
        await ifPresent(environment.client.delete(roleBindings, { namespace, name: 'pvcsi' }));
        return environment.create(roleBindings, other);
      })
      .toMatchObject({ roleRef: { name: 'other' } });
    await environment.merge(providerServiceAccounts, 'pvcsi', { metadata: { labels: { touched: 'true' } } });
    const replaced = await environment.untilOne(roleBindings, 'pvcsi', (one) => one.roleRef.name === 'pvcsi');
    expect(replaced.subjects).toEqual([{ kind: 'ServiceAccount', namespace, name: 'pvcsi' }]);
  });

  it('adds the label to an existing token Secret, which makes it visible [vsphere 52]', async () => {
    await environment
      .create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'early-secret', namespace, annotations: { 'kubernetes.io/service-account.name': 'early' } },
        type: 'kubernetes.io/service-account-token',
      })
      .catch(() => undefined);
    await environment.create(providerServiceAccounts, account('early', { targetSecretName: 'early-token' }));
    await environment.untilOne<ProviderServiceAccount>(
      providerServiceAccounts,
      'early',
      (one) => one.status?.ready === true,
    );
    const { metadata } = await environment.get(secrets, 'early-secret');
    expect(metadata.labels).toMatchObject({ 'cluster.x-k8s.io/cluster-name': name });
    expect(metadata.ownerReferences).toMatchObject([
      { kind: 'ProviderServiceAccount', name: 'early', controller: true },
    ]);
  });

  it('writes no vCenter credentials to the workload cluster', () => {
    const store = environment.dev.workloads.get(key)?.server?.store as ObjectStore;
    const all = store.all().map(({ object }) => object);
    expect(all.length).toBeGreaterThan(50);
    const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');
    const secretsOfVcenter = Object.values(credentials).flatMap((text) => [text, base64(text), base64(base64(text))]);
    const text = JSON.stringify(all);
    for (const secret of secretsOfVcenter) expect(text.includes(secret)).toBe(false);
    // The token is found in the workload cluster, which proves that the search works.
    const { data } = workloadObject('secrets', 'vmware-system-csi', 'pvcsi-token') as { data: { token: string } };
    expect(text.includes(data.token)).toBe(true);
  });
});
