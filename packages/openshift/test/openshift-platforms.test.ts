import { clusters, type MachineSet, machines, machineSets } from '@slipway/cluster-api';
import { certificateSigningRequests, nodes, secrets } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterOperators, platforms } from '../src/index.js';
import { infraName, OpenShiftPlane } from './openshift-plane.js';

const namespace = 'openshift-cluster-api';
const operatorKey = { namespace: '', name: 'cluster-api' };

function workers(kindPrefix: string): MachineSet {
  const labels = { 'cluster.x-k8s.io/cluster-name': infraName, 'cluster.x-k8s.io/set-name': 'workers' };
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { namespace, name: 'workers', labels },
    spec: {
      clusterName: infraName,
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          clusterName: infraName,
          bootstrap: { dataSecretName: 'worker-user-data' },
          infrastructureRef: {
            apiGroup: 'infrastructure.cluster.x-k8s.io',
            kind: `${kindPrefix}MachineTemplate`,
            name: 'workers',
          },
        },
      },
    },
  };
}

describe.each(platforms.map((platform) => ({ name: platform.type, platform })))('on $name', ({ platform }) => {
  let plane: OpenShiftPlane;
  beforeAll(async () => {
    plane = await OpenShiftPlane.start({ platform });
  });
  afterAll(() => plane.stop());

  it('creates Cluster and InfraCluster with the feature gate, Nodes with a MachineSet, and deletes all of them [operators 34]', async () => {
    await plane.setFeatureSet('TechPreviewNoUpgrade');
    const key = { namespace, name: infraName };
    await plane.until(clusters, key, (cluster) => cluster?.status?.initialization?.infrastructureProvisioned === true);
    const available = await plane.until(
      clusterOperators,
      operatorKey,
      (operator) => operator?.status?.conditions?.find(({ type }) => type === 'Available')?.status === 'True',
    );
    expect(available.status?.versions).toEqual([{ name: 'operator', version: '4.20.0' }]);
    await plane.create({
      apiVersion: `infrastructure.cluster.x-k8s.io/${platform.version}`,
      kind: `${platform.kindPrefix}MachineTemplate`,
      metadata: { namespace, name: 'workers' },
      // Example from the OpenShift enhancement for AWS. The policy that rejects some of these fields is installed with migration
      // only.
      spec: {
        template: {
          spec: {
            uncompressedUserData: true,
            iamInstanceProfile: 'demo-worker-profile',
            instanceType: 'm5.large',
            cloudInit: { secureSecretsBackend: 'secrets-manager', insecureSkipSecretsManager: true },
            ami: { id: 'ami-1' },
            subnet: { filters: [{ name: 'tag:Name', values: ['demo-private'] }] },
            additionalSecurityGroups: [{ filters: [{ name: 'tag:Name', values: ['demo-worker-sg'] }] }],
          },
        },
      },
    });
    await plane.client.create(machineSets, workers(platform.kindPrefix));
    const setKey = { namespace, name: 'workers' };
    await plane.until(machineSets, setKey, (set) => set?.status?.readyReplicas === 2);
    const joined = (await plane.client.list(nodes)).items;
    expect(joined).toHaveLength(2);
    await expect
      .poll(async () => {
        await plane.settle();
        const requests = (await plane.client.list(certificateSigningRequests)).items;
        return requests.filter(({ status }) => status?.certificate !== undefined).length;
      })
      .toBe(4);
    expect((await plane.client.get(secrets, { namespace, name: 'worker-user-data' })).data).toHaveProperty('value');
    await plane.client.delete(machineSets, setKey);
    await plane.until(machineSets, setKey, (set) => set === undefined);
    await expect
      .poll(async () => {
        await plane.settle();
        return [(await plane.client.list(machines)).items.length, (await plane.client.list(nodes)).items.length];
      })
      .toEqual([0, 0]);
  });
});
