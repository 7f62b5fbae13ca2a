import { BootstrapDataError } from './types.js';

export type KubeadmApiVersion = 'kubeadm.k8s.io/v1beta3' | 'kubeadm.k8s.io/v1beta4';

export interface KubernetesVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** The version with `v` and all three numbers: `1.35` becomes `v1.35.0`. */
  readonly text: string;
}

const form = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?((?:-[0-9A-Za-z.-]{1,256})?(?:\+[0-9A-Za-z.-]{1,256})?)$/;

/** Parses versions such as `v1.36.1`, `1.36` and `v1.36.0-rc.1+build`. */
export function parseKubernetesVersion(text: string): KubernetesVersion {
  const [matched, major, minor = '0', patch = '0', rest = ''] = form.exec(text.trim()) ?? [];
  if (matched === undefined)
    throw new BootstrapDataError(
      'InvalidVersion',
      `failed to parse kubernetes version ${JSON.stringify(text)}: must be a semantic version such as v1.36.1`,
    );
  const numbers = { major: Number(major), minor: Number(minor), patch: Number(patch) };
  return { ...numbers, text: `v${numbers.major}.${numbers.minor}.${numbers.patch}${rest}` };
}

/**
 * Returns the version of kubeadm's API for the Kubernetes version of a machine, whose kubeadm reads the documents. A pre-release
 * uses the API of its final release.
 */
export function kubeadmApiVersionOf(kubernetesVersion: string): KubeadmApiVersion {
  const { major, minor } = parseKubernetesVersion(kubernetesVersion);
  if (major < 1 || (major === 1 && minor < 22))
    throw new BootstrapDataError(
      'UnsupportedVersion',
      `the bootstrap provider for kubeadm doesn't support Kubernetes version lower than v1.22.0, got ${kubernetesVersion}`,
    );
  return major === 1 && minor < 31 ? 'kubeadm.k8s.io/v1beta3' : 'kubeadm.k8s.io/v1beta4';
}
