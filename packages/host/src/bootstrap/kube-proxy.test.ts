import { parseYamlDocuments } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { BootstrapDataError } from './bootstrap-data-error.js';
import type { CloudConfig } from './cloud-config.js';
import { installsKubeProxy, withKubeProxyConfiguration } from './kube-proxy.js';

const cluster = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n';
const init = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\n';
const path = '/run/kubeadm/kubeadm.yaml';

function configOf(content: string, at = path): CloudConfig {
  const file = { path: at, owner: 'root:root', permissions: '0640', append: false, deferred: false };
  return { bootCommands: [], files: [{ ...file, content: Buffer.from(content) }], users: [], commands: [] };
}

function documentsOf({ files }: CloudConfig): unknown[] {
  return files.flatMap(({ content }) => parseYamlDocuments(content).map(({ value }) => value));
}

describe('kube-proxy of a new cluster', () => {
  it.each([
    { name: 'a plain kubeadm init', config: configOf(`---\n${cluster}---\n${init}`), then: true },
    { name: 'a skipped phase', config: configOf(`${init}skipPhases: [addon/kube-proxy]\n`), then: false },
    { name: 'all add-ons skipped', config: configOf(`${init}skipPhases: [addon]\n`), then: false },
    { name: 'a disabled proxy', config: configOf(`${cluster}proxy: {disabled: true}\n`), then: false },
    { name: 'another skipped phase', config: configOf(`${init}skipPhases: [addon/coredns]\n`), then: true },
    { name: 'a machine that joins', config: configOf(init, '/run/kubeadm/kubeadm-join-config.yaml'), then: false },
  ])('is installed by kubeadm or not: $name', ({ config, then }) => {
    expect(installsKubeProxy(config)).toBe(then);
  });

  it('uses nftables and does not change the connection table of the host', () => {
    expect(documentsOf(withKubeProxyConfiguration(configOf(`---\n${cluster}---\n${init}`)))).toEqual([
      { apiVersion: 'kubeadm.k8s.io/v1beta4', kind: 'ClusterConfiguration' },
      { apiVersion: 'kubeadm.k8s.io/v1beta4', kind: 'InitConfiguration' },
      {
        apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
        kind: 'KubeProxyConfiguration',
        mode: 'nftables',
        conntrack: { maxPerCore: 0 },
      },
    ]);
  });

  it('keeps the configuration of the bootstrap data', () => {
    const own = configOf(
      `${init}---\napiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: iptables\n`,
    );
    expect(withKubeProxyConfiguration(own)).toEqual(own);
  });

  it('is not configured on machines that join', () => {
    const join = configOf(init, '/run/kubeadm/kubeadm-join-config.yaml');
    expect(withKubeProxyConfiguration(join)).toEqual(join);
  });

  it('is rejected when the configuration of kubeadm is not YAML', () => {
    expect(() => installsKubeProxy(configOf('{'))).toThrow(BootstrapDataError);
  });
});
