import { clusters } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { configMaps, deployments, secrets } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClusterOperator, clusterOperators, findPlatform, mapiMachines, type Platform } from '../src/index.js';
import { infraName, OpenShiftPlane } from './openshift-plane.js';

const namespace = 'openshift-cluster-api';
const operatorKey = { namespace: '', name: 'cluster-api' };
const infraKey = { namespace, name: infraName };
const aws = findPlatform('AWS') as Platform;

function conditionOf(operator: Frozen<ClusterOperator> | undefined, type: string): string {
  const { status = '', reason = '' } = operator?.status?.conditions?.find((one) => one.type === type) ?? {};
  return `${status} ${reason}`.trim();
}

describe('the operator on an OpenShift cluster', () => {
  let plane: OpenShiftPlane;
  beforeAll(async () => {
    plane = await OpenShiftPlane.start({ platform: aws, sets: () => [] });
  });
  afterAll(() => plane.stop());

  it('installs nothing and is available while the feature gate is disabled [R17]', async () => {
    await plane.until(
      clusterOperators,
      operatorKey,
      (operator) => conditionOf(operator, 'Available') === 'True AsExpected',
    );
    expect((await plane.client.list(clusters)).items).toEqual([]);
    expect((await plane.client.list(deployments)).items).toEqual([]);
  });

  it('installs providers from ConfigMaps and the approver once the feature gate is enabled [R19, R22, R24, R25]', async () => {
    await plane.setFeatureSet('TechPreviewNoUpgrade');
    await plane.until(
      deployments,
      { namespace: 'openshift-cluster-machine-approver', name: 'machine-approver-capi' },
      (one) => one !== undefined,
    );
    const provider = await plane.resource('operator.cluster.x-k8s.io/v1alpha2', 'InfrastructureProvider');
    expect(await plane.client.get(provider, { namespace, name: 'aws' })).toMatchObject({
      spec: { fetchConfig: { selector: { matchLabels: { 'provider.cluster.x-k8s.io/name': 'aws' } } } },
    });
    const core = await plane.client.get(configMaps, { namespace, name: 'core-cluster-api-v1.12.0' });
    expect(Object.keys(core.data ?? {})).toEqual(['metadata', 'components']);
  });

  it('reverts changes of its ConfigMaps', async () => {
    const key = { namespace, name: 'core-cluster-api-v1.12.0' };
    await plane.client.patch(configMaps, key, { type: 'merge', patch: { data: { metadata: 'nonsense' } } });
    const back = await plane.until(
      configMaps,
      key,
      (one) => one?.data?.['metadata']?.includes('releaseSeries') === true,
    );
    expect(back.data).toHaveProperty('components');
  });

  it('creates the InfraCluster before the Cluster and sets it ready in the status [operators 28, operators 29]', async () => {
    const resource = await plane.resource('infrastructure.cluster.x-k8s.io/v1beta2', 'AWSCluster');
    const infra = await plane.until(
      resource,
      infraKey,
      (one) => (one?.['status'] as { ready?: boolean } | undefined)?.ready === true,
    );
    const cluster = await plane.until(
      clusters,
      infraKey,
      (one) => one?.status?.initialization?.controlPlaneInitialized === true,
    );
    expect(
      Number(infra.metadata.resourceVersion) > 0 &&
        (infra.metadata.creationTimestamp ?? '') <= (cluster.metadata.creationTimestamp ?? ''),
    ).toBe(true);
    expect(cluster.spec.controlPlaneEndpoint).toEqual({ host: 'api-int.demo.example.com', port: 6443 });
    expect(infra.metadata.annotations).toEqual({
      'cluster.x-k8s.io/managed-by': 'cluster-capi-operator-infracluster-controller',
    });
  });

  it.each([
    { name: 'without the annotation [operators 26]', annotations: null },
    { name: 'with an empty annotation [operators 26]', annotations: { 'cluster.x-k8s.io/managed-by': '' } },
    {
      name: 'with the annotation of another manager [operators 26]',
      annotations: { 'cluster.x-k8s.io/managed-by': 'me' },
    },
  ])('does not change an InfraCluster $name', async ({ annotations }) => {
    const resource = await plane.resource('infrastructure.cluster.x-k8s.io/v1beta2', 'AWSCluster');
    const given = annotations ?? { 'cluster.x-k8s.io/managed-by': null };
    await plane.client.patch(resource, infraKey, { type: 'merge', patch: { metadata: { annotations: given } } });
    await plane.settle();
    await plane.client.patch(
      resource,
      infraKey,
      { type: 'merge', patch: { status: { ready: false } } },
      { subresource: 'status' },
    );
    await plane.settle();
    expect((await plane.client.get(resource, infraKey))['status']).toMatchObject({ ready: false });
    const ours = { 'cluster.x-k8s.io/managed-by': 'cluster-capi-operator-infracluster-controller' };
    await plane.client.patch(resource, infraKey, { type: 'merge', patch: { metadata: { annotations: ours } } });
    await plane.until(
      resource,
      infraKey,
      (one) => (one?.['status'] as { ready?: boolean } | undefined)?.ready === true,
    );
  });

  it('copies user data, reverts edits and re-creates it [R30]', async () => {
    const key = { namespace, name: 'worker-user-data' };
    await plane.client.patch(secrets, key, { type: 'merge', patch: { data: { value: 'eA==' } } });
    await plane.until(secrets, key, (one) => one?.data?.['value'] !== 'eA==' && one !== undefined);
    await plane.client.delete(secrets, key);
    const again = await plane.until(secrets, key, (one) => one !== undefined);
    expect(again.data).toHaveProperty('format');
  });

  it('empties the token after half an hour, and keeps the kubeconfig until there is another [operators 31]', async () => {
    const key = { namespace, name: `${infraName}-kubeconfig` };
    const before = await plane.until(secrets, key, (one) => one !== undefined);
    await plane.clock.advance(1_801_000);
    const token = await plane.until(
      secrets,
      { namespace, name: 'capi-controllers-token' },
      (one) => one?.metadata.annotations?.['cluster-api.openshift.io/last-token-refresh'] !== undefined,
    );
    expect(token.metadata.uid).toBeDefined();
    const after = await plane.client.get(secrets, key);
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(after.data?.['value']).not.toBe('');
  });

  it('reports a missing source of user data, and recovers when it exists again', async () => {
    const source = { namespace: 'openshift-machine-api', name: 'worker-user-data' };
    const { metadata: _metadata, ...rest } = await plane.client.get(secrets, source);
    await plane.client.delete(secrets, source);
    await plane.until(
      clusterOperators,
      operatorKey,
      (operator) => conditionOf(operator, 'SecretSyncControllerDegraded') === 'True EphemeralError',
    );
    expect(conditionOf(await plane.client.get(clusterOperators, operatorKey), 'Available')).toBe('True AsExpected');
    await plane.client.create(secrets, structuredClone({ ...rest, metadata: source }) as never);
    await plane.until(
      clusterOperators,
      operatorKey,
      (operator) => conditionOf(operator, 'SecretSyncControllerDegraded') === 'False AsExpected',
    );
  });

  it('does not change Machine API machines, also when the feature gate is toggled twice [R39]', async () => {
    const before = (await plane.client.list(mapiMachines)).items.map(({ metadata }) => metadata.resourceVersion);
    await plane.setFeatureSet('');
    await plane.settle();
    expect(conditionOf(await plane.client.get(clusterOperators, operatorKey), 'Available')).toBe('True AsExpected');
    expect(await plane.find(clusters, infraKey)).toBeDefined();
    await plane.setFeatureSet('TechPreviewNoUpgrade');
    await plane.settle();
    expect((await plane.client.list(mapiMachines)).items.map(({ metadata }) => metadata.resourceVersion)).toEqual(
      before,
    );
  });

  it('protects the Cluster of this cluster, and allows others in other namespaces [R13]', async () => {
    await expect(plane.client.delete(clusters, infraKey)).rejects.toThrow(/cannot be deleted/);
    const other = (where: string, name: string, kind: string) =>
      plane.client.create(clusters, {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'Cluster',
        metadata: { namespace: where, name },
        spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind, name } },
      });
    await expect(other(namespace, 'second', 'AWSCluster')).rejects.toThrow(/with the name/);
    await expect(other(namespace, infraName, 'DockerCluster')).rejects.toThrow(/Unsupported value/);
    await expect(other('default', 'spoke', 'DockerCluster')).resolves.toBeDefined();
  });
});

describe('the operator without provider CRDs', () => {
  it('waits for missing CRDs and is not degraded [operators 23]', async () => {
    const plane = await OpenShiftPlane.start({ platform: aws, sets: () => [], withoutProviderKinds: true });
    await plane.setFeatureSet('TechPreviewNoUpgrade');
    const operator = await plane.until(
      clusterOperators,
      operatorKey,
      (one) => conditionOf(one, 'InfraClusterControllerProgressing') === 'True WaitingOnExternal',
    );
    expect(conditionOf(operator, 'Degraded')).not.toContain('True');
    await plane.stop();
  });
});
