import type { Logger } from '@slipway/base';
import { coreEvents, csiDrivers, deployments, ifPresent, nodes } from '@slipway/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import { operatorNamespace, vdoConfigs } from '../src/api/index.js';
import { conditionOf, type DriversPlane, isReady, startDriversPlane } from './support/drivers-plane.js';
import { machine } from './support/fake-vcenters.js';
import { uuidOf } from './support/simulated-cluster.js';

const key = { namespace: operatorNamespace, name: 'vdo' };
const csiKey = { namespace: 'vmware-system-csi', name: 'vsphere-csi-controller' };
const password = 'not-for-the-log';
let dependencies: DriversPlane;
afterEach(() => dependencies.stop());

async function open(lines: string[] = []): Promise<void> {
  const note = (...words: readonly unknown[]): void =>
    void lines.push(words.map((word) => JSON.stringify(word)).join(' '));
  const logger = { debug: note, info: note, warn: note, error: note, child: () => logger } as unknown as Logger;
  dependencies = await startDriversPlane({}, logger);
  dependencies.vcenters.virtualMachines = [machine('node-0', uuidOf(0))];
  await dependencies.simulated.addNodes(1);
  await dependencies.simulated.initializeNodes();
  await dependencies.simulated.secret('all-creds', 'vdo@vsphere.local', password);
  await dependencies.simulated.connection('all');
}

async function settle(): Promise<void> {
  for (let round = 0; round < 8; round += 1) {
    await dependencies.plane.clock.advance(31_000);
    await dependencies.simulated.settleWorkloads();
    await dependencies.plane.settle();
    if (isReady(await dependencies.plane.client.get(vdoConfigs, key))) return;
  }
  throw new Error('the drivers did not become healthy');
}

describe('coexistence of the operator with other owners', () => {
  it('does not reconcile beside another operator in any namespace [drivers 27]', async () => {
    await open();
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'manager', image: 'x' }] } };
    await dependencies.simulated.ensureNamespace('elsewhere');
    await dependencies.plane.client.create(deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'vdo-controller-manager', namespace: 'elsewhere' },
      spec: { selector: { matchLabels: { a: 'b' } }, template: template as never },
    });
    await dependencies.simulated.vdoConfig({ storageProvider: {} });
    const idle = await dependencies.until((config) => conditionOf(config, 'Ready')?.reason === 'OtherOperator');
    expect(conditionOf(idle, 'Ready')?.message).toContain(
      'another operator is running in elsewhere; remove one of the two',
    );
    expect(await ifPresent(dependencies.plane.client.get(deployments, csiKey))).toBeUndefined();
    await dependencies.plane.client.delete(deployments, { namespace: 'elsewhere', name: 'vdo-controller-manager' });
    await dependencies.simulated.merge(vdoConfigs, key, { metadata: { annotations: { look: 'again' } } });
    await settle();
  });

  it('ignores a VDOConfig that a management plane hosts', async () => {
    await open();
    await dependencies.simulated.vdoConfig(
      { storageProvider: {} },
      { annotations: { 'vdo.vmware.com/hosted-by': 'default/prod' } },
    );
    const idle = await dependencies.until((config) => conditionOf(config, 'Ready')?.reason === 'OtherOperator');
    expect(conditionOf(idle, 'Ready')?.message).toContain('the management cluster of Cluster default/prod');
  });

  it('writes nothing while nothing changes [drivers 29]', async () => {
    await open();
    await dependencies.simulated.vdoConfig({ storageProvider: {} });
    await settle();
    await dependencies.plane.clock.advance(61_000);
    await dependencies.plane.settle();
    const before = await dependencies.plane.client.get(vdoConfigs, key);
    for (let minute = 0; minute < 12; minute += 1) {
      await dependencies.plane.clock.advance(60_000);
      await dependencies.plane.settle();
    }
    const after = await dependencies.plane.client.get(vdoConfigs, key);
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it('logs and records events without credentials [requirements 93, 96]', async () => {
    const lines: string[] = [];
    await open(lines);
    await dependencies.simulated.vdoConfig({ cloudProvider: {}, storageProvider: {} });
    await settle();
    const log = lines.join('\n');
    for (const words of ['Applied object', 'to install CPI', 'Validated connection', 'DaemonSet kube-system/vsphere'])
      expect(log).toContain(words);
    expect(log).not.toContain(password);
    await dependencies.plane.settle();
    const { items } = await dependencies.plane.client.list(coreEvents);
    const reasons = new Set(items.map(({ reason }) => reason));
    for (const reason of [
      'ConnectionVerified',
      'VersionSelected',
      'DriverInstalled',
      'NodeInitialized',
      'MatrixUpdated',
    ])
      expect(reasons).toContain(reason);
    expect(JSON.stringify(items)).not.toContain(password);
  });

  it('does not replace the storage driver of OpenShift [requirement 11]', async () => {
    await open();
    await dependencies.plane.client.create(csiDrivers, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'csi.vsphere.vmware.com', annotations: { 'csi.openshift.io/managed': '' } },
      spec: {},
    });
    await dependencies.simulated.vdoConfig({ storageProvider: {} });
    const held = await dependencies.until((config) => conditionOf(config, 'CSIPreconditionsMet')?.status === 'False');
    expect(conditionOf(held, 'CSIPreconditionsMet')).toMatchObject({ reason: 'ManagedByOpenShift' });
    expect(conditionOf(held, 'CSIPreconditionsMet')?.message).toContain('spec.managementState');
    expect(await ifPresent(dependencies.plane.client.get(deployments, csiKey))).toBeUndefined();
  });

  it('reports a node whose kubelet was not started with an external cloud provider', async () => {
    await open();
    await dependencies.simulated.merge(nodes, { namespace: '', name: 'node-0' }, { spec: { taints: null } });
    await dependencies.plane.client.create(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'plain' },
      spec: {},
    });
    await dependencies.simulated.vdoConfig({ cloudProvider: {}, storageProvider: {} });
    const reported = await dependencies.until(
      (config) => config.status?.nodes?.some(({ name }) => name === 'plain') === true,
    );
    const plain = reported.status?.nodes?.find(({ name }) => name === 'plain');
    expect(plain).toMatchObject({ state: 'failed', reason: 'KubeletWithoutCloudProvider' });
    expect(conditionOf(reported, 'CPINodesInitialized')?.message).toContain('--cloud-provider=external');
  });
});
