import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMaps, daemonSets, deployments, secrets } from '@slipway/runtime';
import { conditionOf, type DriversPlane, isReady, startDriversPlane } from './support/drivers-plane.js';
import { machine } from './support/fake-vcenters.js';
import { uuidOf } from './support/simulated-cluster.js';

const user = 'vdo@vsphere.local';

describe('both drivers', () => {
  let dependencies: DriversPlane;
  beforeAll(async () => {
    dependencies = await startDriversPlane();
    const { simulated, vcenters } = dependencies;
    vcenters.virtualMachines = [0, 1, 2].map((place) => machine(`node-${place}`, uuidOf(place)));
    await simulated.addNodes(3);
    await simulated.secret('all-creds', user, 'p"ss\\w#rd;%');
    await simulated.connection('all');
    await simulated.vdoConfig({ cloudProvider: {}, storageProvider: {} });
  });
  afterAll(() => dependencies.stop());

  it('are installed, become healthy, and report it', async () => {
    const { simulated, plane } = dependencies;
    const waiting = await dependencies.until(
      (config) =>
        config.status?.storageProvider?.desiredVersion === '3.8.0' &&
        (config.status.storageProvider.workloads ?? []).length > 0,
    );
    expect(conditionOf(waiting, 'Ready')?.status).toBe('False');
    await simulated.settleWorkloads();
    await simulated.initializeNodes();
    const ready = await dependencies.until(isReady);
    expect(ready.status?.summary).toBe('Healthy');
    expect(ready.status?.cloudProvider).toMatchObject({ installedVersion: '1.36.0', health: 'Healthy' });
    expect(ready.status?.storageProvider).toMatchObject({ installedVersion: '3.8.0', health: 'Healthy' });
    expect(ready.status?.cpi?.phase).toBe('Configured');
    const daemonSet = await plane.client.get(daemonSets, {
      namespace: 'kube-system',
      name: 'vsphere-cloud-controller-manager',
    });
    expect(daemonSet.metadata.labels).toMatchObject({
      'vdo.vmware.com/driver': 'cpi',
      'vdo.vmware.com/driver-version': '1.36.0',
    });
    const controller = await plane.client.get(deployments, {
      namespace: 'vmware-system-csi',
      name: 'vsphere-csi-controller',
    });
    expect(controller.spec?.replicas).toBe(1);
    const config = await plane.client.get(configMaps, { namespace: 'kube-system', name: 'vsphere-cloud-config' });
    expect(config.data?.['vsphere.conf']).toContain('vc1.example.com');
    const secret = await plane.client.get(secrets, { namespace: 'vmware-system-csi', name: 'vsphere-config-secret' });
    const text = Buffer.from(secret.data?.['csi-vsphere.conf'] ?? '', 'base64').toString();
    expect(text).toContain('password = "p\\"ss\\\\w#rd;%"');
    expect(text).not.toContain('cluster-id');
  });
});
