import { parseYamlValue } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import type { ClusterConfiguration } from '../bootstrap-data/index.js';
import { updateClusterConfiguration, updateDnsImage } from './cluster-configuration.js';
import { withDefaultFeatureGates } from './cluster-configuration.js';

/** The output of kubeadm v1.33. */
const written = `apiServer:
  extraArgs:
  - name: audit-log-path
    value: /var/log/audit
apiVersion: kubeadm.k8s.io/v1beta4
caCertificateValidityPeriod: 87600h0m0s
certificateValidityPeriod: 8760h0m0s
certificatesDir: /etc/kubernetes/pki
clusterName: c
controlPlaneEndpoint: 10.0.0.1:6443
controllerManager: {}
dns: {}
encryptionAlgorithm: RSA-2048
etcd:
  local:
    dataDir: /var/lib/etcd
imageRepository: registry.k8s.io
kind: ClusterConfiguration
kubernetesVersion: v1.33.1
networking:
  dnsDomain: cluster.local
  podSubnet: 192.168.0.0/16
  serviceSubnet: 10.96.0.0/12
proxy:
  disabled: true
scheduler: {}
`;

/** The output of kubeadm v1.30. */
const writtenBefore = `apiServer:
  extraArgs:
    audit-log-path: /var/log/audit
  timeoutForControlPlane: 4m0s
apiVersion: kubeadm.k8s.io/v1beta3
clusterName: c
controllerManager: {}
dns: {}
etcd:
  local:
    dataDir: /var/lib/etcd
    extraArgs:
      quota-backend-bytes: "1000"
kind: ClusterConfiguration
kubernetesVersion: v1.30.4
networking:
  podSubnet: 192.168.0.0/16
scheduler:
  extraArgs:
    v: "2"
`;

function changed(text: string, version: string, configuration?: ClusterConfiguration): unknown {
  const change = configuration === undefined ? { version } : { version, configuration };
  const updated = updateClusterConfiguration(text, change);
  return updated === undefined ? undefined : parseYamlValue(updated);
}

describe('the ClusterConfiguration of a running cluster', () => {
  it('gets the version, and keeps all other fields when the control plane has no configuration', () => {
    expect(updateClusterConfiguration(written, { version: 'v1.34.0' })).toBe(
      written.replace('kubernetesVersion: v1.33.1', 'kubernetesVersion: v1.34.0'),
    );
  });

  it('is not written when it is up to date', () => {
    expect(changed(written, 'v1.33.1')).toBeUndefined();
    expect(changed(written, '1.33.1')).toBeUndefined();
    const configuration: ClusterConfiguration = {
      apiServer: { extraArgs: [{ name: 'audit-log-path', value: '/var/log/audit' }] },
      etcd: { local: { dataDir: '/var/lib/etcd' } },
      encryptionAlgorithm: 'RSA-2048',
      certificateValidityPeriodDays: 365,
    };
    expect(changed(written, 'v1.33.1', configuration)).toBeUndefined();
  });

  it('gets all fields that the control plane manages, and keeps the rest', () => {
    const configuration: ClusterConfiguration = {
      imageRepository: 'registry.example/k8s',
      featureGates: { A: true },
      apiServer: { certSANs: ['api.example'], extraArgs: [{ name: 'v', value: '3' }] },
      controllerManager: { extraArgs: [{ name: 'v', value: '4' }] },
      scheduler: { extraVolumes: [{ name: 'x', hostPath: '/x', mountPath: '/y', readOnly: true }] },
      etcd: { local: { imageTag: '3.6.1' } },
      certificateValidityPeriodDays: 30,
      encryptionAlgorithm: 'ECDSA-P256',
      // Not a mutable field of a running cluster.
      certificatesDir: '/elsewhere',
      controlPlaneEndpoint: 'elsewhere:6443',
      caCertificateValidityPeriodDays: 1,
      dns: { imageTag: 'v1.12.0' },
    };
    expect(changed(written, 'v1.34.0', configuration)).toEqual({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'ClusterConfiguration',
      kubernetesVersion: 'v1.34.0',
      imageRepository: 'registry.example/k8s',
      featureGates: { A: true },
      apiServer: { certSANs: ['api.example'], extraArgs: [{ name: 'v', value: '3' }] },
      controllerManager: { extraArgs: [{ name: 'v', value: '4' }] },
      scheduler: { extraVolumes: [{ name: 'x', hostPath: '/x', mountPath: '/y', readOnly: true }] },
      etcd: { local: { dataDir: '', imageTag: '3.6.1' } },
      certificateValidityPeriod: '720h0m0s',
      encryptionAlgorithm: 'ECDSA-P256',
      caCertificateValidityPeriod: '87600h0m0s',
      certificatesDir: '/etc/kubernetes/pki',
      clusterName: 'c',
      controlPlaneEndpoint: '10.0.0.1:6443',
      dns: {},
      networking: { dnsDomain: 'cluster.local', podSubnet: '192.168.0.0/16', serviceSubnet: '10.96.0.0/12' },
      proxy: { disabled: true },
    });
  });

  it('loses feature gates that the control plane no longer has, and keeps its image repository', () => {
    const before = written.replace('clusterName: c', 'clusterName: c\nfeatureGates:\n  Old: true');
    const after = changed(before, 'v1.33.1', { scheduler: { extraArgs: [{ name: 'v', value: '1' }] } });
    expect(after).toMatchObject({ imageRepository: 'registry.k8s.io' });
    expect(after).not.toHaveProperty('featureGates');
  });

  it('has an external etcd instead of a local one', () => {
    const external = { endpoints: ['https://e:2379'], caFile: '/a', certFile: '/b', keyFile: '/c' };
    expect(changed(written, 'v1.33.1', { etcd: { external } })).toMatchObject({ etcd: { external } });
  });

  it('uses the API of the target version: v1beta4 in 1.31 and later [14.30]', () => {
    expect(changed(writtenBefore, 'v1.31.0')).toEqual({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'ClusterConfiguration',
      kubernetesVersion: 'v1.31.0',
      apiServer: { extraArgs: [{ name: 'audit-log-path', value: '/var/log/audit' }] },
      clusterName: 'c',
      controllerManager: {},
      dns: {},
      etcd: { local: { dataDir: '/var/lib/etcd', extraArgs: [{ name: 'quota-backend-bytes', value: '1000' }] } },
      networking: { podSubnet: '192.168.0.0/16' },
      proxy: {},
      scheduler: { extraArgs: [{ name: 'v', value: '2' }] },
    });
  });

  it('stays in v1beta3 for earlier versions, with the timeout that only v1beta3 has [14.30]', () => {
    const configuration: ClusterConfiguration = { scheduler: { extraArgs: [{ name: 'v', value: '9' }] } };
    expect(changed(writtenBefore, 'v1.30.9', configuration)).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta3',
      apiServer: { timeoutForControlPlane: '4m0s' },
      scheduler: { extraArgs: { v: '9' } },
    });
  });

  it('is converted to v1beta3 for a version that supports no later one', () => {
    expect(changed(written, 'v1.30.0')).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta3',
      apiServer: { extraArgs: { 'audit-log-path': '/var/log/audit' } },
    });
    expect(changed(written, 'v1.30.0')).not.toHaveProperty('encryptionAlgorithm');
  });

  it('may be empty, as in simulated clusters', () => {
    expect(changed('', 'v1.35.0')).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kubernetesVersion: 'v1.35.0',
    });
  });

  it.each([
    { name: 'invalid YAML', text: 'a: [', why: 'is not valid YAML' },
    { name: 'a list', text: '- a', why: 'is not a mapping' },
    {
      name: 'an unknown API version',
      text: 'apiVersion: kubeadm.k8s.io/v1beta2',
      why: 'has the unsupported apiVersion "kubeadm.k8s.io/v1beta2"',
    },
  ])('is rejected: $name', ({ text, why }) => {
    expect(() => updateClusterConfiguration(text, { version: 'v1.35.0' })).toThrow(why);
  });
});

describe('the CoreDNS image in the ClusterConfiguration', () => {
  it('is set from the control plane; other fields are kept', () => {
    const text = written.replace('dns: {}', 'dns:\n  disabled: false\n  imageTag: v1.9.0');
    const after = updateDnsImage(text, 'v1.33.1', { imageRepository: 'r.example', imageTag: 'v1.12.0' });
    expect(parseYamlValue(after ?? '')).toMatchObject({
      dns: { disabled: false, imageRepository: 'r.example', imageTag: 'v1.12.0' },
    });
    expect(parseYamlValue(updateDnsImage(text, 'v1.33.1', undefined) ?? '')).toMatchObject({
      dns: { disabled: false },
    });
    expect(updateDnsImage(written, 'v1.33.1', undefined)).toBeUndefined();
  });
});

describe('feature gates', () => {
  it.each([
    { version: 'v1.30.9', then: undefined },
    { version: 'v1.31.0-rc.1', then: { ControlPlaneKubeletLocalMode: true } },
    { version: 'v1.35.2', then: { ControlPlaneKubeletLocalMode: true } },
    { version: 'v1.36.0', then: undefined },
  ])('of $version include the local mode while it is not the default', ({ version, then }) => {
    expect(withDefaultFeatureGates({}, version).featureGates).toEqual(then);
  });

  it('of the user are kept', () => {
    const configuration = { featureGates: { ControlPlaneKubeletLocalMode: false } };
    expect(withDefaultFeatureGates(configuration, 'v1.33.0')).toEqual(configuration);
  });
});
