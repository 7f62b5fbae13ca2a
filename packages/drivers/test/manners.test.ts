import type { Logger } from '@slipway/base';
import { coreEvents, csiDrivers, deployments, ifPresent, nodes } from '@slipway/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import { operatorNamespace, vdoConfigs } from '../src/api/index.js';
import { conditionOf, type DriversPlane, isReady, startDriversPlane } from './support/drivers-plane.js';
import { machine } from './support/fake-vcenters.js';
import { uuidOf } from './support/stage.js';

const key = { namespace: operatorNamespace, name: 'vdo' };
const csiKey = { namespace: 'vmware-system-csi', name: 'vsphere-csi-controller' };
const password = 'not-for-the-log';
let world: DriversPlane;
afterEach(() => world.stop());

async function open(lines: string[] = []): Promise<void> {
  const note = (...words: readonly unknown[]): void =>
    void lines.push(words.map((word) => JSON.stringify(word)).join(' '));
  const logger = { debug: note, info: note, warn: note, error: note, child: () => logger } as unknown as Logger;
  world = await startDriversPlane({}, logger);
  world.vcenters.virtualMachines = [machine('node-0', uuidOf(0))];
  await world.stage.addNodes(1);
  await world.stage.initializeNodes();
  await world.stage.secret('all-creds', 'vdo@vsphere.local', password);
  await world.stage.connection('all');
}

async function settle(): Promise<void> {
  for (let round = 0; round < 8; round += 1) {
    await world.plane.clock.advance(31_000);
    await world.stage.settleWorkloads();
    await world.plane.settle();
    if (isReady(await world.plane.client.get(vdoConfigs, key))) return;
  }
  throw new Error('the drivers did not become healthy');
}

describe('the manners of the operator', () => {
  it('drivers 27: stands still beside another operator, wherever that is', async () => {
    await open();
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'manager', image: 'x' }] } };
    await world.stage.ensureNamespace('elsewhere');
    await world.plane.client.create(deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'vdo-controller-manager', namespace: 'elsewhere' },
      spec: { selector: { matchLabels: { a: 'b' } }, template: template as never },
    });
    await world.stage.vdoConfig({ storageProvider: {} });
    const idle = await world.until((config) => conditionOf(config, 'Ready')?.reason === 'OtherOperator');
    expect(conditionOf(idle, 'Ready')?.message).toContain('another operator runs in elsewhere; remove one of the two');
    expect(await ifPresent(world.plane.client.get(deployments, csiKey))).toBeUndefined();
    await world.plane.client.delete(deployments, { namespace: 'elsewhere', name: 'vdo-controller-manager' });
    await world.stage.merge(vdoConfigs, key, { metadata: { annotations: { look: 'again' } } });
    await settle();
  });

  it('leaves a VDOConfig to the management plane that hosts it', async () => {
    await open();
    await world.stage.vdoConfig(
      { storageProvider: {} },
      { annotations: { 'vdo.vmware.com/hosted-by': 'default/prod' } },
    );
    const idle = await world.until((config) => conditionOf(config, 'Ready')?.reason === 'OtherOperator');
    expect(conditionOf(idle, 'Ready')?.message).toContain('the management plane of Cluster default/prod');
  });

  it('drivers 29: writes nothing while nothing changes', async () => {
    await open();
    await world.stage.vdoConfig({ storageProvider: {} });
    await settle();
    await world.plane.clock.advance(61_000);
    await world.plane.settle();
    const before = await world.plane.client.get(vdoConfigs, key);
    for (let minute = 0; minute < 12; minute += 1) {
      await world.plane.clock.advance(60_000);
      await world.plane.settle();
    }
    const after = await world.plane.client.get(vdoConfigs, key);
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it('requirements 93, 96: tells in the log and by events what it does, and no secret', async () => {
    const lines: string[] = [];
    await open(lines);
    await world.stage.vdoConfig({ cloudProvider: {}, storageProvider: {} });
    await settle();
    const log = lines.join('\n');
    for (const words of ['Applied object', 'to install CPI', 'Validated connection', 'DaemonSet kube-system/vsphere'])
      expect(log).toContain(words);
    expect(log).not.toContain(password);
    await world.plane.settle();
    const { items } = await world.plane.client.list(coreEvents);
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

  it('requirement 11: does not take the storage driver from OpenShift', async () => {
    await open();
    await world.plane.client.create(csiDrivers, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'csi.vsphere.vmware.com', annotations: { 'csi.openshift.io/managed': '' } },
      spec: {},
    });
    await world.stage.vdoConfig({ storageProvider: {} });
    const held = await world.until((config) => conditionOf(config, 'CSIPreconditionsMet')?.status === 'False');
    expect(conditionOf(held, 'CSIPreconditionsMet')).toMatchObject({ reason: 'ManagedByOpenShift' });
    expect(conditionOf(held, 'CSIPreconditionsMet')?.message).toContain('spec.managementState');
    expect(await ifPresent(world.plane.client.get(deployments, csiKey))).toBeUndefined();
  });

  it('names a node whose kubelet was not told of a cloud provider', async () => {
    await open();
    await world.stage.merge(nodes, { namespace: '', name: 'node-0' }, { spec: { taints: null } });
    await world.plane.client.create(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'plain' },
      spec: {},
    });
    await world.stage.vdoConfig({ cloudProvider: {}, storageProvider: {} });
    const told = await world.until((config) => config.status?.nodes?.some(({ name }) => name === 'plain') === true);
    const plain = told.status?.nodes?.find(({ name }) => name === 'plain');
    expect(plain).toMatchObject({ state: 'failed', reason: 'KubeletWithoutCloudProvider' });
    expect(conditionOf(told, 'CPINodesInitialized')?.message).toContain('--cloud-provider=external');
  });
});
