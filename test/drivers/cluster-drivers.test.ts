import { clusters } from '@slipway/cluster-api';
import { createClusterDrivers, generatePassword, operatorNamespace, vdoConfigs } from '@slipway/drivers';
import { systemRandom } from '@slipway/base';
import {
  configMaps,
  type ControllerContext,
  daemonSets,
  deployments,
  ifPresent,
  nodes,
  secrets,
  type RemoteClient,
} from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SimulatedCluster } from '../../packages/drivers/test/support/simulated-cluster.js';
import { createWholeCluster } from '../vsphere/vcenter-manifests.js';
import {
  conditionOf,
  namespace,
  password as machinesPassword,
  VCenterEnvironment,
} from '../vsphere/vcenter-environment.js';
import { untilObject } from './operator-process.js';

const cluster = { namespace, name: 'stored' };
const type = 'VSphereDriversReady';
const account = { username: 'vdo-stored@vsphere.local', password: generatePassword(systemRandom) };
const annotate = (annotations: object): object => ({ metadata: { annotations } });

describe('a vSphere cluster that requests drivers', () => {
  let environment: VCenterEnvironment;
  let metrics: ControllerContext['metrics'];
  const measured = (name: string): Promise<string | undefined> =>
    metrics.metrics().then((text) => text.split('\n').find((line) => line.startsWith(`${name}{`)));
  const ask = (annotations: object): Promise<void> => environment.merge(clusters, cluster.name, annotate(annotations));
  const untilReported = (reason: string) =>
    environment.untilOne(clusters, cluster.name, (one) => conditionOf(one, type)?.reason === reason);
  /** Returns a client with the administrator kubeconfig, as the controllers use it. */
  const workload = async (): Promise<RemoteClient> => {
    const { data } = await environment.client.get(secrets, { namespace, name: `${cluster.name}-kubeconfig` });
    const client = environment.dev.connect(Buffer.from(data?.['value'] ?? '', 'base64').toString(), cluster);
    if (client === undefined) throw new Error('the workload cluster does not exist');
    return client;
  };

  beforeAll(async () => {
    environment = await VCenterEnvironment.start({ whole: true });
    const drivers = createClusterDrivers();
    const controllers = drivers.controllers.map((descriptor) => ({
      ...descriptor,
      create(context: ControllerContext) {
        ({ metrics } = context);
        return descriptor.create(context);
      },
    }));
    await environment.start([{ ...drivers, controllers }]);
    await environment.session.sso.createPerson('vdo-stored', account.password, 'drivers');
    await createWholeCluster(environment, {
      name: cluster.name,
      server: environment.vcsim.server,
      endpoint: { host: '127.0.0.1', port: 6443 },
    });
    await environment.untilOne(clusters, cluster.name, (one) => conditionOf(one, 'Available')?.status === 'True');
  });
  afterAll(() => environment.stop());

  it('has no drivers without the annotation', async () => {
    const { items } = await (await workload()).list(daemonSets);
    expect(items.map(({ metadata }) => metadata.name)).not.toContain('vsphere-cloud-controller-manager');
    expect(conditionOf(await environment.get(clusters, cluster.name), type)).toBeUndefined();
  });

  it('reports what its request lacks, and never uses the account of its machines', async () => {
    await ask({ 'vdo.vmware.com/drivers': 'cpi,csi' });
    await untilReported('CredentialsMissing');
    await ask({ 'vdo.vmware.com/drivers': 'storage' });
    await untilReported('RequestInvalid');
    await ask({ 'vdo.vmware.com/drivers': 'cpi,csi', 'vdo.vmware.com/credentials': cluster.name });
    const refused = await untilReported('AccountOfMachines');
    expect(conditionOf(refused, type)?.message).toContain('slipway drivers users create');
    await ask({ 'vdo.vmware.com/credentials': 'stored-drivers' });
    await untilReported('SecretNotFound');
  });

  it('gets drivers with a separate account', async () => {
    await environment.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'stored-drivers', namespace },
      type: 'kubernetes.io/basic-auth',
      stringData: account,
    });
    const client = await workload();
    const key = { namespace: operatorNamespace, name: 'vdo' };
    // The condition is reported once the CRDs of the driver are installed in the workload cluster.
    await environment.untilOne(clusters, cluster.name, (one) => {
      const { reason = '' } = conditionOf(one, type) ?? {};
      return !['SecretNotFound', 'ClusterDisconnected'].includes(reason);
    });
    const stage = new SimulatedCluster(client, () => Date.now());
    const ready = await untilObject(
      client,
      vdoConfigs,
      key,
      (config) => conditionOf(config, 'Ready')?.status === 'True',
      () => stage.settleWorkloads(),
    );
    expect(ready.status).toMatchObject({
      summary: 'Healthy',
      cloudProvider: { installedVersion: '1.36.0', health: 'Healthy' },
      connections: [{ user: account.username, state: 'Verified' }, { state: 'Verified' }],
    });
    const reported = await untilReported('Healthy');
    expect(conditionOf(reported, type)?.message).toMatch(/^CPI 1\.36\.0, CSI 3\.\d+\.\d+$/);
    const config = await client.get(configMaps, { namespace: 'kube-system', name: 'vsphere-cloud-config' });
    expect(config.data?.['vsphere.conf']).toContain('DC0');
    await expect
      .poll(() => measured('vdo_driver_info'))
      .toBe(`vdo_driver_info{cluster_namespace="${namespace}",cluster_name="stored",driver="cpi",version="1.36.0"} 1`);
  });

  it('contains no administrator credentials and no operator', async () => {
    const client = await workload();
    const found = (await client.list(secrets)).items.flatMap(({ data }) =>
      Object.values(data ?? {}).map((value) => Buffer.from(value, 'base64').toString()),
    );
    expect(found.some((text) => text.includes(account.password))).toBe(true);
    expect(found.filter((text) => text.includes(machinesPassword))).toEqual([]);
    expect(found.filter((text) => text.includes('client-key-data'))).toEqual([]);
    const names = (await client.list(deployments)).items.map(({ metadata }) => metadata.name);
    expect(names).not.toContain('vdo-controller-manager');
  });

  it('keeps its drivers when the annotation is removed, and deletes the objects that managed them', async () => {
    await ask({ 'vdo.vmware.com/drivers': null });
    const client = await workload();
    await environment.untilOne(clusters, cluster.name, (one) => conditionOf(one, type) === undefined);
    expect((await client.list(vdoConfigs)).items).toEqual([]);
    await expect.poll(() => measured('vdo_driver_info')).toBeUndefined();
    await client.get(deployments, { namespace: 'vmware-system-csi', name: 'vsphere-csi-controller' });
    const labels = (await client.list(nodes)).items.map(({ metadata }) => metadata.labels ?? {});
    expect(labels.some((each) => Object.hasOwn(each, 'vdo.vmware.com/vdoconfig'))).toBe(false);
  });

  it('is deleted together with its drivers', async () => {
    await ask({ 'vdo.vmware.com/drivers': 'csi' });
    await untilObject(await workload(), vdoConfigs, { namespace: operatorNamespace, name: 'vdo' }, () => true);
    await environment.client.delete(clusters, cluster);
    await environment.untilNone(clusters, cluster.name);
    expect(environment.dev.workloads.get(cluster)).toBeUndefined();
    // The Secret belongs to the user and must not be deleted.
    expect(await ifPresent(environment.client.get(secrets, { namespace, name: 'stored-drivers' }))).toBeDefined();
  });
});
