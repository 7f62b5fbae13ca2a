import type { BuiltinProvider } from '@slipway/clusterctl';
import { describe, expect, it } from 'vitest';
import type { FrozenProvider } from '../api/index.js';
import { readOperatorConfig } from './operator-config.js';

const provider = (kind: FrozenProvider['kind'], name: string, version?: string): FrozenProvider => ({
  apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
  kind,
  metadata: { name, namespace: 'n' },
  spec: { ...(version !== undefined && { version }) },
});
const ours: BuiltinProvider = { name: 'vsphere', type: 'InfrastructureProvider', version: 'v1.14.2+ours', files: {} };

function read(of: FrozenProvider, text = '', builtin: readonly BuiltinProvider[] = [ours]) {
  return readOperatorConfig(of, { text, variables: new Map([['A', 'b']]), builtin });
}

describe('the configuration of the operator', () => {
  const own = 'providers: [{name: vsphere, type: InfrastructureProvider, url: "https://mirror.test/x"}]';
  const rows = [
    {
      name: 'a built-in release',
      of: provider('InfrastructureProvider', 'vsphere'),
      then: 'builtin:///infrastructure-vsphere/latest/infrastructure-components.yaml',
    },
    {
      name: 'another version of a built-in provider',
      of: provider('InfrastructureProvider', 'vsphere', 'v1.9.0'),
      then: 'https://github.com/kubernetes-sigs/cluster-api-provider-vsphere/releases/latest/infrastructure-components.yaml',
    },
    {
      name: 'the URL of the user',
      of: provider('InfrastructureProvider', 'vsphere'),
      text: own,
      then: 'https://mirror.test/x',
    },
    {
      name: 'the development provider',
      of: provider('InfrastructureProvider', 'docker'),
      then: 'https://github.com/kubernetes-sigs/cluster-api/releases/latest/infrastructure-components-development.yaml',
    },
    { name: 'nobody', of: provider('IPAMProvider', 'mine'), then: undefined },
  ];
  it.each(rows)('resolves the repository URL: $name', ({ of, text, then }) => {
    expect(read(of, text).urlOf(of)).toBe(then);
  });

  const images = 'images: {all: {repository: mirror.test}, infrastructure-vsphere/manager: {tag: v9}}';
  const altered = [
    { image: 'registry.k8s.io/a/manager:v1', then: 'mirror.test/manager:v9' },
    { image: 'registry.k8s.io/a/proxy:v1', then: 'mirror.test/proxy:v1' },
    { image: 'registry.k8s.io/a/manager:v1@sha256:aa', then: 'mirror.test/manager:v9' },
    { image: 'manager:v1', then: 'manager:v1' },
    { image: 'library/manager:v1', then: 'library/manager:v1' },
  ];
  it.each(altered)('replaces image $image with $then', ({ image, then }) => {
    expect(read(provider('InfrastructureProvider', 'vsphere'), images).alterImage(image)).toBe(then);
  });

  it('reads variables only from the Secret', () => {
    const { config } = read(provider('InfrastructureProvider', 'vsphere'));
    expect([config.lookup('A'), config.lookup('PATH')]).toEqual(['b', undefined]);
  });
});
