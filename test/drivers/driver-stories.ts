import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleObjects, makeBundle, vdoConfigs, vsphereCloudConfigs } from '@slipway/drivers';
import {
  clusterRoles,
  configMaps,
  csiDrivers,
  daemonSets,
  deployments,
  getCondition,
  pods,
  secrets,
  volumeAttachments,
} from '@slipway/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Vcsim } from '../support/vcsim.js';
import type { AdministeredServer } from './operator-process.js';
import {
  cpiKey,
  csiKey,
  matrixOf,
  nodeKey,
  password,
  StoryEnvironment,
  templateOf,
  vdoKey,
} from './story-environment.js';

/** Tests the lifecycle of drivers on a server with a simulated vCenter. The operator has exactly its own role. */
export function driverStories(
  title: string,
  start: () => Promise<AdministeredServer>,
  /** Defines checks that are specific to this server and run after the operator has stopped. */
  more: (story: () => StoryEnvironment) => void = () => undefined,
): void {
  describe(`the drivers operator ${title}`, () => {
    let story: StoryEnvironment;
    let vcsim: Vcsim;
    beforeAll(async () => {
      story = await StoryEnvironment.open(start);
      vcsim = story.vcsim;
    });
    afterAll(() => story?.close());
    afterEach(() => expect(story.on.refused.splice(0)).toEqual([]));

    it('validates the datacenter, the certificate and the account of a connection with separate messages', async () => {
      const { environment } = story.on;
      await environment.secret('vc-creds', 'vdo@vsphere.local', 'not it');
      await story.connect('vc', { datacenters: ['nowhere'] });
      const wrong = await story.connectionReports('vc', 'InvalidLogin');
      expect(JSON.stringify(wrong)).not.toContain('not it');
      await environment.secret('vc-creds', 'vdo@vsphere.local', password);
      await story.retryConnection('vc');
      await story.connectionReports('vc', 'DatacenterNotFound');
      await story.change(vsphereCloudConfigs, 'vc', { spec: { datacenters: ['DC0'], insecure: false } });
      await story.connectionReports('vc', 'TLSUntrusted');
      await story.change(vsphereCloudConfigs, 'vc', { spec: { insecure: false, caBundle: vcsim.certificate } });
      const verified = await story.connectionReports('vc', 'Verified');
      expect(verified.status).toMatchObject({ config: 'verified', apiVersion: '8.0.3', user: 'vdo@vsphere.local' });
    });

    it('installs the CPI and the CSI driver, and initializes nodes [drivers 28]', async () => {
      const { on } = story;
      await on.environment.vdoConfig({ cloudProvider: {}, storageProvider: {} });
      const waiting = await on.until((config) => getCondition(config, 'CPINodesInitialized')?.status === 'False');
      expect(waiting.status?.nodes).toMatchObject([
        { name: 'node-0', state: 'pending' },
        { name: 'node-1', state: 'pending' },
      ]);
      await on.environment.initializeNodes();
      const ready = await story.healthy();
      expect(ready.status).toMatchObject({
        summary: 'Healthy',
        cloudProvider: { installedVersion: '1.36.0' },
        storageProvider: { installedVersion: '3.8.0' },
      });
    });

    it('restores deleted objects, and reports failing Pods', async () => {
      const { client, environment, until } = story;
      for (const [resource, key] of [
        [daemonSets, cpiKey],
        [daemonSets, nodeKey],
        [deployments, csiKey],
      ] as const) {
        const { uid } = (await client.get(resource as typeof daemonSets, key)).metadata;
        await client.delete(resource as typeof daemonSets, key);
        await until(resource as typeof daemonSets, key, ({ metadata }) => metadata.uid !== uid);
      }
      await story.crash('csi-node-pod', nodeKey, 'CrashLoopBackOff', 'no such vCenter');
      await environment.settleWorkloads({ except: ['vsphere-csi-node'] });
      const ill = await story.on.until((config) => getCondition(config, 'CSIAvailable')?.reason === 'CrashLooping');
      expect(getCondition(ill, 'CSIAvailable')?.message).toMatch(/no such vCenter.*; check the termination message/s);
      await client.delete(pods, { namespace: nodeKey.namespace, name: 'csi-node-pod' });
      await story.healthy();
    });

    it('pins a version, upgrades by another matrix, leaves a withdrawn version, and downgrades for a pin', async () => {
      await story.setMatrix(matrixOf({ '3.6.3': {}, '3.7.3': {} }));
      await story.change(vdoConfigs, 'vdo', { spec: { storageProvider: { version: '3.6.3' } } });
      await story.healthyAt('3.6.3');
      await story.change(vdoConfigs, 'vdo', { spec: { storageProvider: { version: null } } });
      await story.healthyAt('3.7.3');
      await story.setMatrix(matrixOf({ '3.6.3': {}, '3.7.3': {}, '3.8.0': {} }));
      const upgraded = await story.healthyAt('3.8.0');
      expect(upgraded.status?.storageProvider?.previousVersion).toBe('3.7.3');
      await story.setMatrix(matrixOf({ '3.6.3': {}, '3.7.3': {}, '3.8.0': { withdrawn: { reason: 'CVE-2026-1' } } }));
      await story.healthyAt('3.7.3');
      await story.change(vdoConfigs, 'vdo', { spec: { storageProvider: { version: '3.6.3' } } });
      await story.healthyAt('3.6.3');
      await story.change(vdoConfigs, 'vdo', { spec: { storageProvider: { version: '3.8.0' } } });
      const refused = await story.on.until((config) => getCondition(config, 'VersionsResolved')?.status === 'False');
      expect(getCondition(refused, 'VersionsResolved')).toMatchObject({ reason: 'Withdrawn' });
      await story.client.get(deployments, csiKey);
      await story.change(vdoConfigs, 'vdo', { spec: { storageProvider: { version: null } } });
      await story.setMatrix(undefined);
      await story.healthyAt('3.8.0');
    });

    it('finishes an upgrade once vCenter is reachable again, and removes nothing before', async () => {
      await vcsim.stop();
      await story.retryConnection('vc');
      await story.connectionReports('vc', 'Unreachable');
      await story.setMatrix(matrixOf({ '3.7.3': {}, '3.8.0': { withdrawn: { reason: 'CVE-2026-2' } } }));
      const waiting = await story.on.until(
        (config) => getCondition(config, 'ConnectionsVerified')?.reason === 'WaitingForConnection',
      );
      expect(waiting.status?.storageProvider).toMatchObject({ installedVersion: '3.8.0', health: 'Healthy' });
      vcsim = await story.startVCenter();
      await story.change(vsphereCloudConfigs, 'vc', { spec: { caBundle: vcsim.certificate } });
      await story.retryConnection('vc');
      await story.connectionReports('vc', 'Verified');
      await story.healthyAt('3.7.3');
      await story.setMatrix(undefined);
      await story.healthyAt('3.8.0');
    });

    it('uses a separate account for each driver, and applies a changed password', async () => {
      const { environment, client } = story;
      await vcsimPerson(story, 'reader', 'R3ader-only!pass');
      await environment.secret('cpi-creds', 'reader@vsphere.local', 'R3ader-only!pass');
      await story.connect('cpi', { insecure: true });
      await story.change(vdoConfigs, 'vdo', {
        spec: { cloudProvider: { vsphereCloudConfigs: ['cpi'] }, storageProvider: { vsphereCloudConfigs: ['vc'] } },
      });
      await story.healthy();
      const textOf = async (namespace: string, name: string): Promise<string> =>
        Object.values((await client.get(secrets, { namespace, name })).data ?? {})
          .map((each) => Buffer.from(each, 'base64').toString())
          .join('\n');
      await expect.poll(() => textOf('kube-system', 'cpi-global-secret')).toContain('reader@vsphere.local');
      expect(await textOf('vmware-system-csi', 'vsphere-config-secret')).toContain('user = "vdo@vsphere.local"');
      const hash = async (): Promise<unknown> =>
        (await client.get(daemonSets, cpiKey)).spec?.template.metadata?.annotations?.['vdo.vmware.com/config-hash'];
      const before = await hash();
      await vcsimPerson(story, 'other', 'Oth3r-only!pass');
      await environment.secret('cpi-creds', 'other@vsphere.local', 'Oth3r-only!pass');
      await story.retryConnection('cpi');
      await story.until(
        vsphereCloudConfigs,
        { ...vdoKey, name: 'cpi' },
        ({ status }) => status?.user === 'other@vsphere.local',
      );
      await expect.poll(hash).not.toBe(before);
      await story.healthy();
      await story.change(vdoConfigs, 'vdo', { spec: { cloudProvider: { vsphereCloudConfigs: ['vc'] } } });
      await client.delete(vsphereCloudConfigs, { ...vdoKey, name: 'cpi' });
      await story.healthy();
    });

    it('prunes objects of the old version once the new one is healthy', async () => {
      await story.template('a', templateOf('csi', '3.8.0'));
      await story.template('b', withoutKind(templateOf('csi', '3.8.0'), 'ConfigMap'));
      await story.setMatrix(matrixOf({ '3.8.0': { deploymentPath: [story.templatePath('a')] } }));
      const states = { namespace: 'vmware-system-csi', name: 'internal-feature-states.csi.vsphere.vmware.com' };
      await story.healthy();
      expect((await story.client.get(configMaps, states)).metadata.labels).toMatchObject({
        'vdo.vmware.com/driver': 'csi',
      });
      await story.setMatrix(matrixOf({ '3.8.0': { deploymentPath: [story.templatePath('b')] } }));
      await story.settling(() => story.on.untilGone(configMaps, states));
      await story.setMatrix(undefined);
      await story.healthy();
    });

    it('redeploys a driver that stays unhealthy, and deletes a Pod that crashes with an old configuration', async () => {
      await story.crash('wedged', csiKey, 'CrashLoopBackOff', 'old words', 7);
      await story.environment.settleWorkloads({ except: ['vsphere-csi-controller'] });
      await story.on.until((config) => getCondition(config, 'CSIAvailable')?.status === 'False');
      // Eleven minutes ago for the operator.
      const appliedTime = new Date(Date.now() - 660_000).toISOString().replace(/\.\d+Z$/, 'Z');
      await story.environment.setStatus(vdoConfigs, vdoKey, { storageProvider: { appliedTime } });
      await story.on.untilGone(pods, { namespace: csiKey.namespace, name: 'wedged' });
      const redeployed = await story.on.until(
        (config) => config.status?.storageProvider?.lastRemediationTime !== undefined,
      );
      expect(redeployed.status?.storageProvider?.installedVersion).toBe('3.8.0');
      await story.healthy();
    });

    it('keeps its drivers when the matrix is invalid or missing, and reports it', async () => {
      const text = matrixOf({ '3.8.0': {} });
      const untilReason = async (reason: string): Promise<void> => {
        const config = await story.on.until((each) => getCondition(each, 'MatrixAvailable')?.reason === reason);
        expect(getCondition(config, 'MatrixAvailable')?.message).toMatch(/\w+ \w+ \w+/);
        expect(config.status?.storageProvider).toMatchObject({ installedVersion: '3.8.0', health: 'Healthy' });
      };
      await story.setMatrixData({ versionConfigContent: text, versionConfigURL: 'https://matrix.invalid/m.json' });
      await untilReason('MatrixAmbiguous');
      await story.setMatrixData({ versionConfigContent: null, versionConfigURL: 'http://127.0.0.1:9/matrix.json' });
      await untilReason('MatrixUnavailable');
      await story.setMatrixData({ versionConfigURL: null, versionConfigContent: '{"CSI": {"3.8.0": {}}}' });
      await untilReason('MatrixInvalid');
      const sha256 = createHash('sha256').update('something else').digest('hex');
      await story.compatibility({ matrixInline: text, sha256 });
      await untilReason('ChecksumMismatch');
      await expect(story.compatibility({ matrixInline: text, matrixURL: 'https://m.example' })).rejects.toThrow(
        'only one of matrixURL, matrixConfigMapRef and matrixInline',
      );
      await story.compatibility(undefined);
      await story.setMatrix(undefined);
      await untilReason('Available');
    });

    it('uses the older of two VDOConfigs', async () => {
      await story.environment.vdoConfig({ storageProvider: {} }, { name: 'second' });
      const second = await story.until(
        vdoConfigs,
        { ...vdoKey, name: 'second' },
        (config) => getCondition(config, 'Ready')?.reason === 'Superseded',
      );
      expect(getCondition(second, 'Ready')?.message).toContain(
        'vmware-system-vdo/vdo was created first and is the active one',
      );
      await story.client.delete(vdoConfigs, { ...vdoKey, name: 'second' });
      await story.on.untilGone(vdoConfigs, { ...vdoKey, name: 'second' });
    });

    it('uninstalls on request, but not while volumes are attached', async () => {
      const { client } = story;
      await story.change(vdoConfigs, 'vdo', {
        metadata: { annotations: { 'vdo.vmware.com/deletion-policy': 'Delete' } },
      });
      await client.create(volumeAttachments, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: { name: 'va' },
        spec: { attacher: 'csi.vsphere.vmware.com', nodeName: 'node-0', source: { persistentVolumeName: 'pv' } },
      });
      await client.delete(vdoConfigs, vdoKey);
      const held = await story.on.until((config) => getCondition(config, 'Ready')?.reason === 'VolumesAttached');
      expect(held.metadata.finalizers).toEqual(['vdo.vmware.com/drivers']);
      await client.get(deployments, csiKey);
      await client.delete(volumeAttachments, { namespace: '', name: 'va' });
      await story.nudge();
      await story.on.untilGone(vdoConfigs, vdoKey);
      await story.on.untilGone(deployments, csiKey);
      await story.on.untilGone(csiDrivers, { namespace: '', name: 'csi.vsphere.vmware.com' });
      await story.on.untilGone(daemonSets, cpiKey);
    });

    it('installs only the CSI driver from a bundle in the cluster, without network access', async () => {
      const { matrix, objects } = bundleObjects(makeBundle({ cpi: [], csi: ['3.8.0'] }));
      for (const object of objects) await story.client.create(configMaps, object as never);
      await story.setMatrix(matrix);
      await story.environment.vdoConfig({ storageProvider: {} });
      const ready = await story.healthyAt('3.8.0');
      expect(ready.status?.cloudProvider).toEqual({ health: 'NotConfigured' });
      expect(getCondition(ready, 'MatrixAvailable')?.message).toContain('ConfigMap compat-matrix-config');
      await story.setMatrix(undefined);
    });

    it('installs from local files', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'slipway-drivers-'));
      for (const { name, text } of makeBundle({ cpi: ['1.36.0'], csi: ['3.8.0'] })) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      await story.on.stopOperator();
      await story.on.startOperator({ matrix: pathToFileURL(join(folder, 'matrix.json')).href });
      await story.change(vdoConfigs, 'vdo', { spec: { cloudProvider: {} } });
      const ready = await story.healthy();
      expect(getCondition(ready, 'MatrixAvailable')?.message).toContain('--compatibility-matrix');
      rmSync(folder, { recursive: true });
    });

    it('detects a missing permission', async () => {
      const { client } = story;
      const key = { namespace: '', name: 'vdo-manager-role' };
      const rules = (await client.get(clusterRoles, key)).rules ?? [];
      const without = rules.filter(
        ({ resources = [], verbs }) => !(resources.includes('nodes') && verbs.includes('patch')),
      );
      expect(without.length).toBe(rules.length - 1);
      await client.patch(clusterRoles, key, { type: 'merge', patch: { rules: without as never } });
      // kube-apiserver applies a role after a delay: until then the label is restored.
      await expect
        .poll(async () => {
          await story.unlabel('node-0');
          return story.on.refused.length;
        })
        .toBeGreaterThan(0);
      await story.on.stopOperator();
      expect(story.on.refused.splice(0)[0]).toContain('cannot patch resource "nodes"');
    });

    more(() => story);
  });
}

function withoutKind(template: string, kind: string): string {
  const documents = template.split('---\n');
  return documents.filter((text) => !text.includes(`\nkind: ${kind}\n`)).join('---\n');
}

async function vcsimPerson(story: StoryEnvironment, name: string, secret: string): Promise<void> {
  await story.session.sso.createPerson(name, secret, 'drivers');
}
