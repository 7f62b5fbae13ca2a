import {
  configMaps,
  csiDrivers,
  daemonSets,
  deployments,
  secrets,
  serviceAccounts,
  volumeAttachments,
} from '@slipway/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import { operatorNamespace, vdoConfigs, vsphereCloudConfigs } from '../src/api/index.js';
import { bundleObjects, makeBundle } from '../src/install/index.js';
import type { OperatorOptions } from '../src/operator/index.js';
import { conditionOf, type DriversPlane, isReady, startDriversPlane } from './support/drivers-plane.js';
import { machine } from './support/fake-vcenters.js';
import { uuidOf } from './support/simulated-cluster.js';

const key = { namespace: operatorNamespace, name: 'vdo' };
const user = 'vdo@vsphere.local';
const csiKey = { namespace: 'vmware-system-csi', name: 'vsphere-csi-controller' };
let dependencies: DriversPlane;
afterEach(() => dependencies.stop());

async function installed(
  spec: object = { cloudProvider: {}, storageProvider: {} },
  options: Partial<OperatorOptions> = {},
  kubernetes = '1.36',
): Promise<void> {
  dependencies = await startDriversPlane(options);
  dependencies.kubernetes = kubernetes;
  const { simulated, vcenters } = dependencies;
  vcenters.virtualMachines = [0, 1].map((place) => machine(`node-${place}`, uuidOf(place)));
  await simulated.addNodes(2);
  await simulated.initializeNodes();
  await simulated.secret('all-creds', user, 'first');
  await simulated.connection('all');
  await simulated.vdoConfig(spec as never);
  await settle();
}

/** Runs until the operator has applied its objects and the simulated cluster has settled. */
async function settle(check = isReady): Promise<Awaited<ReturnType<DriversPlane['until']>>> {
  for (let round = 0; ; round += 1) {
    await dependencies.plane.clock.advance(31_000);
    await dependencies.simulated.settleWorkloads();
    await dependencies.plane.settle();
    const config = await dependencies.plane.client.get(vdoConfigs, key);
    if (check(config)) return config;
    if (round > 8) throw new Error(`it did not get there: ${JSON.stringify(config.status, undefined, 1)}`);
  }
}

const patch = (spec: object): Promise<void> => dependencies.simulated.merge(vdoConfigs, key, { spec });
const row = (more: object = {}) => ({
  vSphere: { min: '7.0.2', max: '9.99' },
  k8s: { min: '1.30', max: '1.40' },
  ...more,
});
const cpiRow = { ...row(), deploymentPath: ['bundle://cpi/1.36.0.yaml'] };
const matrix = (csi: Record<string, object>): string =>
  JSON.stringify({
    revision: Object.keys(csi).join('+'),
    CPI: { '1.36.0': cpiRow },
    CSI: Object.fromEntries(
      Object.entries(csi).map(([version, more]) => [
        version,
        { ...row(), deploymentPath: [`bundle://csi/${version}.yaml`], ...more },
      ]),
    ),
  });
async function setMatrix(text: string): Promise<void> {
  const metadata = { namespace: operatorNamespace, name: 'compat-matrix-config' };
  const configuration = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { versionConfigContent: text } };
  await dependencies.plane.client.apply(configMaps, metadata, configuration, { fieldManager: 'test', force: true });
}

describe('the lifecycle of drivers', () => {
  it('pins, upgrades by a new matrix, replaces a withdrawn version, downgrades for a pin, and never removes the driver', async () => {
    await installed({ storageProvider: { version: '3.7.3' } }, {}, '1.35');
    await settle((config) => config.status?.storageProvider?.installedVersion === '3.7.3');
    await patch({ storageProvider: { version: null } });
    const upgraded = await settle(
      (config) => isReady(config) && config.status?.storageProvider?.installedVersion === '3.8.0',
    );
    expect(upgraded.status?.storageProvider?.previousVersion).toBe('3.7.3');
    await setMatrix(matrix({ '3.7.3': {}, '3.8.0': { withdrawn: { reason: 'CVE-2026-1', replacement: '3.7.3' } } }));
    const replaced = await settle(
      (config) => isReady(config) && config.status?.storageProvider?.installedVersion === '3.7.3',
    );
    expect(replaced.status?.cloudProvider?.health).toBe('NotConfigured');
    const deployment = await dependencies.plane.client.get(deployments, csiKey);
    expect(deployment.metadata.labels?.['vdo.vmware.com/driver-version']).toBe('3.7.3');
  });

  it('keeps fields of other managers, and prunes objects of the old version once the new one is healthy [drivers 22]', async () => {
    await installed();
    const { client } = dependencies.plane;
    await client.patch(deployments, csiKey, { type: 'merge', patch: { metadata: { annotations: { mine: 'kept' } } } });
    const [template = ''] = makeBundle({ cpi: [], csi: ['3.8.0'] }).flatMap(({ name, text }) =>
      name.startsWith('csi/') ? [text] : [],
    );
    const extra = 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: only-here\n';
    dependencies.web.set('https://m.example/a.yaml', { status: 200, text: `${template}---\n${extra}` });
    dependencies.web.set('https://m.example/b.yaml', { status: 200, text: template });
    const at = (path: string): string =>
      JSON.stringify({
        revision: path,
        CPI: { '1.36.0': cpiRow },
        CSI: { '3.8.0': { ...row(), deploymentPath: [`https://m.example/${path}`] } },
      });
    await setMatrix(at('a.yaml'));
    await settle((config) => isReady(config) && config.status?.storageProvider?.matrixRevision === 'a.yaml');
    const account = { namespace: 'vmware-system-csi', name: 'only-here' };
    await client.get(serviceAccounts, account);
    await setMatrix(at('b.yaml'));
    await settle((config) => isReady(config) && config.status?.storageProvider?.matrixRevision === 'b.yaml');
    await dependencies.plane.untilGone(serviceAccounts as never, account);
    expect((await client.get(deployments, csiKey)).metadata.annotations?.['mine']).toBe('kept');
  });

  it('reports a failed upgrade, keeps the running version, and rolls back', async () => {
    await installed({ storageProvider: { version: '3.7.3' } }, {}, '1.35');
    await settle((config) => config.status?.storageProvider?.installedVersion === '3.7.3');
    await patch({ storageProvider: { version: '3.8.0' } });
    for (let minute = 0; minute < 17; minute += 1) {
      await dependencies.plane.clock.advance(60_000);
      await dependencies.simulated.settleWorkloads({ except: ['vsphere-csi-node'] });
      await dependencies.plane.settle();
    }
    const failed = await dependencies.until((config) => conditionOf(config, 'Degraded')?.reason === 'UpgradeFailed');
    expect(failed.status?.storageProvider?.installedVersion).toBe('3.7.3');
    expect(conditionOf(failed, 'Degraded')?.message).toContain('slipway drivers rollback');
    await patch({ storageProvider: { version: '3.7.3' } });
    await settle((config) => isReady(config) && config.status?.storageProvider?.desiredVersion === '3.7.3');
  });

  it('tries a wrong password four times, restarts the drivers for a correct one, and never removes them [drivers 11, drivers 32]', async () => {
    await installed();
    const hashOf = async (): Promise<string> =>
      (await dependencies.plane.client.get(deployments, csiKey)).spec?.template.metadata?.annotations?.[
        'vdo.vmware.com/config-hash'
      ] ?? '';
    const before = await hashOf();
    dependencies.vcenters.passwords.set('vc1.example.com', 'second');
    await dependencies.simulated.secret('all-creds', user, 'wrong');
    const tries = (): number => dependencies.vcenters.checks.filter(({ password }) => password === 'wrong').length;
    for (let minute = 0; minute < 40; minute += 1) await dependencies.plane.clock.advance(60_000);
    expect(tries()).toBe(5);
    const failing = await dependencies.plane.client.get(vsphereCloudConfigs, {
      namespace: operatorNamespace,
      name: 'all',
    });
    expect(failing.status).toMatchObject({ config: 'failed', loginFailures: 5 });
    expect(JSON.stringify(failing)).not.toContain('wrong');
    expect(await hashOf()).toBe(before);
    await dependencies.simulated.secret('all-creds', user, 'second');
    await settle((config) => isReady(config));
    expect(await hashOf()).not.toBe(before);
  });

  it('uses a separate account for each driver', async () => {
    dependencies = await startDriversPlane();
    const { simulated } = dependencies;
    dependencies.vcenters.virtualMachines = [machine('node-0', uuidOf(0))];
    await simulated.addNodes(1);
    await simulated.initializeNodes();
    await simulated.secret('cpi-creds', 'reader@vsphere.local', 'one');
    await simulated.secret('csi-creds', 'writer@vsphere.local', 'two');
    await simulated.connection('cpi');
    await simulated.connection('csi');
    await simulated.vdoConfig({
      cloudProvider: { vsphereCloudConfigs: ['cpi'] },
      storageProvider: { vsphereCloudConfig: 'csi' },
    });
    await settle();
    const dataOf = async (namespace: string, name: string): Promise<string> =>
      Object.values((await dependencies.plane.client.get(secrets, { namespace, name })).data ?? {})
        .map((text) => Buffer.from(text, 'base64').toString())
        .join('\n');
    expect(await dataOf('kube-system', 'cpi-global-secret')).toBe('reader@vsphere.local\none');
    expect(await dataOf('vmware-system-csi', 'vsphere-config-secret')).toContain('user = "writer@vsphere.local"');
  });

  it('removes nothing while volumes are attached, and all managed objects afterwards [drivers 18]', async () => {
    await installed(undefined, { deletionPolicy: 'Delete' });
    const { client } = dependencies.plane;
    await client.create(volumeAttachments, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: 'va' },
      spec: { attacher: 'csi.vsphere.vmware.com', nodeName: 'node-0', source: { persistentVolumeName: 'pv' } },
    });
    await client.delete(vdoConfigs, key);
    const held = await dependencies.until((config) => conditionOf(config, 'Ready')?.reason === 'VolumesAttached');
    expect(held.metadata.finalizers).toEqual(['vdo.vmware.com/drivers']);
    await client.get(deployments, csiKey);
    await client.delete(volumeAttachments, { namespace: '', name: 'va' });
    await dependencies.plane.clock.advance(31_000);
    await dependencies.plane.untilGone(vdoConfigs as never, key);
    await dependencies.plane.untilGone(deployments as never, csiKey);
    await dependencies.plane.untilGone(csiDrivers as never, { namespace: '', name: 'csi.vsphere.vmware.com' });
    await dependencies.plane.untilGone(daemonSets as never, {
      namespace: 'kube-system',
      name: 'vsphere-cloud-controller-manager',
    });
  });

  it('installs from a bundle without network access, and keeps its matrix when a proxy responds [drivers 26]', async () => {
    dependencies = await startDriversPlane();
    const { matrix: text, objects } = bundleObjects(makeBundle({ cpi: ['1.36.0'], csi: ['3.8.0'] }));
    for (const object of objects) await dependencies.plane.client.create(configMaps, object as never);
    await setMatrix(text);
    dependencies.vcenters.virtualMachines = [machine('node-0', uuidOf(0))];
    await dependencies.simulated.addNodes(1);
    await dependencies.simulated.initializeNodes();
    await dependencies.simulated.secret('all-creds', user, 'first');
    await dependencies.simulated.connection('all');
    await dependencies.simulated.vdoConfig({ cloudProvider: {}, storageProvider: {} });
    await settle();
    expect(dependencies.requests).toEqual([]);
    const metadata = { namespace: operatorNamespace, name: 'compat-matrix-config' };
    dependencies.web.set('https://m.example/matrix.json', { status: 200, text });
    await dependencies.simulated.merge(configMaps, metadata, {
      data: { versionConfigContent: null, versionConfigURL: 'https://m.example/matrix.json' },
    });
    await settle(
      (config) => conditionOf(config, 'MatrixAvailable')?.reason === 'Available' && dependencies.requests.length > 0,
    );
    dependencies.web.set('https://m.example/matrix.json', { status: 200, text: '<html>Log in</html>' });
    await dependencies.plane.clock.advance(700_000);
    const stale = await settle((config) => conditionOf(config, 'MatrixAvailable')?.reason === 'Stale');
    expect(conditionOf(stale, 'MatrixAvailable')?.status).toBe('True');
    expect(isReady(await settle())).toBe(true);
  });

  it('uses the oldest of two VDOConfigs, and does not manage a driver of another owner', async () => {
    await installed();
    await dependencies.plane.clock.advance(2_000);
    await dependencies.simulated.vdoConfig({ storageProvider: {} }, { name: 'second' });
    const second = await dependencies.until(
      (config) => conditionOf(config, 'Ready')?.reason === 'Superseded',
      'second',
    );
    expect(conditionOf(second, 'Ready')?.message).toContain(
      'vmware-system-vdo/vdo was created first and is the active one',
    );
  });

  it('reads each CSINode, and does not let the CPI delete nodes [drivers 6, drivers 23]', async () => {
    await installed();
    dependencies.vcenters.virtualMachines = [machine('node-0', uuidOf(0))];
    await dependencies.simulated.merge(
      vsphereCloudConfigs,
      { namespace: operatorNamespace, name: 'all' },
      { spec: { datacenters: ['DC1'] } },
    );
    const blocked = await settle(
      (config) => config.status?.cloudProvider?.message?.includes('would delete the nodes node-1') === true,
    );
    expect(blocked.status?.cloudProvider?.installedVersion).toBe('1.36.0');
    const config = await dependencies.plane.client.get(configMaps, {
      namespace: 'kube-system',
      name: 'vsphere-cloud-config',
    });
    expect(config.data?.['vsphere.conf']).toContain('DC0');
  });
});
