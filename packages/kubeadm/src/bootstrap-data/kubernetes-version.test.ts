import { describe, expect, it } from 'vitest';
import { kubeadmApiVersionOf, parseKubernetesVersion } from './kubernetes-version.js';

describe('kubeadmApiVersionOf', () => {
  it.each([
    ['v1.22.0', 'kubeadm.k8s.io/v1beta3'],
    ['v1.30.14', 'kubeadm.k8s.io/v1beta3'],
    ['1.30', 'kubeadm.k8s.io/v1beta3'],
    ['v1.31.0', 'kubeadm.k8s.io/v1beta4'],
    ['v1.36.3+vendor.1', 'kubeadm.k8s.io/v1beta4'],
    ['v2.0.0', 'kubeadm.k8s.io/v1beta4'],
  ])('returns for %s %s', (version, api) => {
    expect(kubeadmApiVersionOf(version)).toBe(api);
  });

  it("ignores pre-release suffixes in the comparison with the Machine's version [14.30]", () => {
    expect(kubeadmApiVersionOf('v1.31.0-alpha.1')).toBe('kubeadm.k8s.io/v1beta4');
    expect(kubeadmApiVersionOf('v1.22.0-rc.0')).toBe('kubeadm.k8s.io/v1beta3');
  });

  it.each(['v1.21.14', '0.9'])('rejects the unsupported version %s', (version) => {
    expect(() => kubeadmApiVersionOf(version)).toThrow("doesn't support Kubernetes version lower than v1.22.0");
  });

  it.each(['', 'latest', 'v1.x', '1.2.3.4', `1.${'9'.repeat(50)}`])('rejects the invalid version %j', (version) => {
    expect(() => kubeadmApiVersionOf(version)).toThrow('failed to parse kubernetes version');
  });
});

it('adds a missing prefix and patch number', () => {
  expect(parseKubernetesVersion(' 1.35 ').text).toBe('v1.35.0');
  expect(parseKubernetesVersion('v1.35.2-rc.1+x').text).toBe('v1.35.2-rc.1+x');
});
