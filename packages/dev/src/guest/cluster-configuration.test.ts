import { describe, expect, it } from 'vitest';
import { findConfiguration } from './cluster-configuration.js';

const cloudConfig = `## template: jinja
#cloud-config

write_files:
-   path: /run/kubeadm/kubeadm.yaml
    owner: root:root
    permissions: '0640'
    content: |
      ---
      apiVersion: kubeadm.k8s.io/v1beta4
      kind: ClusterConfiguration
      clusterName: one
      ---
      apiVersion: kubeadm.k8s.io/v1beta4
      kind: InitConfiguration
runcmd:
  - 'kubeadm init'
`;

describe('the configuration of a cluster', () => {
  it('is read from the bootstrap data', () => {
    expect(findConfiguration(cloudConfig)).toBe(
      'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nclusterName: one\n',
    );
  });

  it.each([
    { name: 'a machine that joins', data: '#cloud-config\nwrite_files: []\n' },
    { name: 'Ignition', data: '{"ignition":{"version":"3.4.0"}}' },
    { name: 'a text that only mentions it', data: 'kind: ClusterConfiguration: not YAML: at all' },
    { name: 'nothing', data: '' },
  ])('is not found in $name', ({ data }) => {
    expect(findConfiguration(data)).toBeUndefined();
  });
});
