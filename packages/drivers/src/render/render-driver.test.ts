import type { KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { shippedManifest } from '../manifests/index.js';
import { type MatrixEntry, parseMatrix, shippedMatrixText } from '../matrix/index.js';
import { needsReplacement } from '../deploy/replace-immutable.js';
import type { ConnectionFacts } from './connection-facts.js';
import { chooseClusterId, clusterIdIn } from './csi-config.js';
import { imageOf } from './images.js';
import { iniText } from './ini.js';
import { type CsiRenderInput, renderDriver } from './render-driver.js';
import type { Workload } from './workloads.js';

const { entries } = parseMatrix(shippedMatrixText());
const entryOf = (driver: 'cpi' | 'csi', version: string): MatrixEntry =>
  entries[driver].find((each) => each.version === version) as MatrixEntry;
const connection: ConnectionFacts = {
  name: 'a',
  server: 'vc1',
  port: 443,
  insecure: false,
  thumbprint: 'AA:BB',
  datacenters: ['DC0', 'DC1'],
  username: 'u@vsphere.local',
  password: 'p"\\#;%ü',
};
const template = (
  driver: 'cpi' | 'csi',
  version: string,
  text = shippedManifest(`${driver}/${version}.yaml`) ?? '',
) => [{ source: 'test', text }];
const cpi = (connections: readonly ConnectionFacts[], spec = {}, text?: string): readonly KubeObject[] =>
  renderDriver({
    driver: 'cpi',
    entry: entryOf('cpi', '1.36.0'),
    templates: template('cpi', '1.36.0', text),
    connections,
    images: {},
    spec,
  }).objects;
const csi = (more: Partial<CsiRenderInput> = {}, version = '3.8.0'): readonly KubeObject[] =>
  renderDriver({
    driver: 'csi',
    entry: entryOf('csi', version),
    templates: template('csi', version),
    connections: [connection],
    images: {},
    spec: {},
    controlPlanes: 3,
    ...more,
  }).objects;
const find = (objects: readonly KubeObject[], kind: string, name: string): KubeObject | undefined =>
  objects.find((each) => each.kind === kind && each.metadata.name === name);
const secretText = (objects: readonly KubeObject[], name: string, key: string): string =>
  Buffer.from(
    (find(objects, 'Secret', name)?.['data'] as Record<string, string> | undefined)?.[key] ?? '',
    'base64',
  ).toString();
const configOf = (objects: readonly KubeObject[]): string =>
  (find(objects, 'ConfigMap', 'vsphere-cloud-config')?.['data'] as Record<string, string> | undefined)?.[
    'vsphere.conf'
  ] ?? '';

describe('rendering', () => {
  it('keeps the cluster ID permanently, and never sets two [drivers 1]', () => {
    const facts = { version: '3.8.0', inSecret: undefined, inConfigMap: undefined, systemUid: 'uid' };
    expect(chooseClusterId(facts)).toBeUndefined();
    expect(chooseClusterId({ ...facts, version: '2.7.0' })).toBe('uid');
    expect(chooseClusterId({ ...facts, inSecret: 'old' })).toBe('old');
    expect(chooseClusterId({ ...facts, inConfigMap: 'made' })).toBeUndefined();
    expect(() => chooseClusterId({ ...facts, inSecret: 'old', inConfigMap: 'made' })).toThrow(
      'two different cluster IDs',
    );
    expect(clusterIdIn('[Global]\ncluster-id = "a\\"b"\n')).toBe('a"b');
  });

  it('writes the configuration to the Secret that the workload mounts, and drops examples [drivers 2, drivers 3]', () => {
    const example =
      '---\napiVersion: v1\nkind: Secret\nmetadata: {name: vsphere-cloud-secret}\nstringData: {a: example}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cloud-config}\ndata: {a: example}\n';
    const text = (shippedManifest('cpi/1.36.0.yaml') ?? '').replace('vsphere-cloud-config', 'cloud-config') + example;
    const objects = cpi([connection], {}, text);
    expect(JSON.stringify(objects)).not.toContain('example"');
    expect(find(objects, 'ConfigMap', 'cloud-config')?.['data']).toHaveProperty(['vsphere.conf']);
  });

  it('sets insecure for one vCenter only, and zones together with regions [drivers 4, drivers 5]', () => {
    const text = configOf(
      cpi(
        [
          { ...connection, insecure: true },
          { ...connection, name: 'b', server: 'vc2' },
        ],
        { topology: { zone: 'z', region: 'r' } },
      ),
    );
    expect(text.slice(0, text.indexOf('vcenter:'))).not.toContain('insecureFlag');
    expect(text).toMatch(/labels:\n {2}region: r\n {2}zone: z/);
  });

  it('has at most as many replicas as control plane nodes [drivers 7]', () => {
    const replicas = (controlPlanes: number): number | undefined =>
      (find(csi({ controlPlanes }), 'Deployment', 'vsphere-csi-controller') as Workload).spec.replicas;
    expect([0, 1, 2, 3, 5].map(replicas)).toEqual([1, 1, 2, 3, 3]);
  });

  it('tolerates the taint with any value [drivers 8, drivers 9]', () => {
    const { tolerations = [] } = (find(cpi([connection]), 'DaemonSet', 'vsphere-cloud-controller-manager') as Workload)
      .spec.template.spec;
    expect(tolerations.filter(({ key }) => key?.includes('uninitialized'))).toEqual([
      { key: 'node.cloudprovider.kubernetes.io/uninitialized', operator: 'Exists', effect: 'NoSchedule' },
    ]);
  });

  it('writes the account of an IPv6 server as a triplet [drivers 15]', () => {
    const objects = cpi([{ ...connection, server: 'fd00::1' }]);
    expect(Object.keys(find(objects, 'Secret', 'cpi-global-secret')?.['data'] as object).sort()).toEqual([
      'password_0',
      'server_0',
      'username_0',
    ]);
  });

  it('rejects a user without a domain for CSI, and accepts it for CPI [drivers 16]', () => {
    const bare = { ...connection, username: 'administrator' };
    expect(() => csi({ connections: [bare] })).toThrow('has no domain');
    expect(cpi([bare])).not.toEqual([]);
  });

  it('escapes INI syntax [drivers 17]', () => {
    expect(secretText(csi(), 'vsphere-config-secret', 'csi-vsphere.conf')).toContain('password = "p\\"\\\\#;%ü"');
    expect(() => iniText('a\nb')).toThrow('line break');
  });

  it('detects changes of immutable fields [drivers 19, drivers 20, drivers 30]', () => {
    const daemonSet = (label: string): KubeObject => ({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'a' },
      spec: { selector: { matchLabels: { [label]: 'a' } } },
    });
    expect(needsReplacement(daemonSet('k8s-app'), daemonSet('name'))).toBe(true);
    expect(needsReplacement(daemonSet('name'), daemonSet('name'))).toBe(false);
    const driver = (attachRequired: boolean): KubeObject => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'a' },
      spec: { attachRequired },
    });
    expect(needsReplacement(driver(false), driver(true))).toBe(true);
    const secret = (type: string): KubeObject => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, type });
    expect(needsReplacement(secret('Opaque'), secret('kubernetes.io/basic-auth'))).toBe(true);
  });

  it('replaces registries that no longer serve images, or uses a mirror [drivers 21]', () => {
    expect(imageOf('gcr.io/cloud-provider-vsphere/csi/release/driver:v3.0.3', 'csi-driver', {})).toBe(
      'registry.k8s.io/csi-vsphere/driver:v3.0.3',
    );
    expect(imageOf('k8s.gcr.io/sig-storage/csi-attacher:v4', 'csi-attacher', { registry: 'mirror.local/vdo' })).toBe(
      'mirror.local/vdo/sig-storage/csi-attacher:v4',
    );
    expect(imageOf('a/b:c', 'cpi', { byRole: { cpi: 'x/y:z' } })).toBe('x/y:z');
  });

  it('installs no validation webhook by default [drivers 31]', () => {
    expect(csi().map(({ kind }) => kind)).not.toContain('ValidatingWebhookConfiguration');
    expect(find(csi(), 'DaemonSet', 'vsphere-csi-node-windows')).toBeUndefined();
    expect(
      find(csi({ spec: { components: { windows: true } } }), 'DaemonSet', 'vsphere-csi-node-windows'),
    ).toBeDefined();
  });

  it('sets the kubelet directory, file volumes by version, and topology with several vCenters', () => {
    const moved = JSON.stringify(
      find(csi({ spec: { customKubeletPath: '/data/kubelet/' } }), 'DaemonSet', 'vsphere-csi-node'),
    );
    expect(moved).not.toContain('/var/lib/kubelet');
    expect(moved).toContain('--kubelet-registration-path=/data/kubelet/plugins/csi.vsphere.vmware.com/csi.sock');
    const fileVolumes = { vsanDataStoreUrl: ['ds:///a/'], netPermissions: [{ ips: '*' }] };
    const text = (version: string): string =>
      secretText(csi({ spec: { fileVolumes } }, version), 'vsphere-config-secret', 'csi-vsphere.conf');
    expect(text('3.2.0')).toContain('targetvSANFileShareDatastoreURLs = "ds:///a/"');
    expect(text('3.3.1')).not.toContain('DatastoreURLs');
    const two = [connection, { ...connection, name: 'b', server: 'vc2' }];
    expect(() => csi({ connections: two })).toThrow('topologyCategories');
    const provisioner = JSON.stringify(csi({ connections: two, spec: { topologyCategories: ['k8s-zone'] } }));
    expect(provisioner).toContain('--strict-topology');
  });
});
