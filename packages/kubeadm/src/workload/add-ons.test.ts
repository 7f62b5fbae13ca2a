import type { ConfigMap, DaemonSet, Deployment } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import type { ClusterConfiguration } from '../bootstrap-data/index.js';
import { formatImage, imageTagOf, parseImage, planCoreDns, withProxyImage, withVersion } from './add-ons.js';
import { checkCoreDnsUpgrade, migrateCorefile, parseCoreDnsVersion } from './corefile.js';

describe('images', () => {
  it.each([
    { text: 'registry.k8s.io/kube-proxy:v1.30.0', parts: ['registry.k8s.io', 'kube-proxy', 'v1.30.0', ''] },
    { text: 'registry.k8s.io/coredns/coredns:v1.11.1', parts: ['registry.k8s.io/coredns', 'coredns', 'v1.11.1', ''] },
    { text: 'localhost:5000/kube-proxy', parts: ['localhost:5000', 'kube-proxy', '', ''] },
    { text: 'r.example/a/b:t@sha256:abc', parts: ['r.example/a', 'b', 't', 'sha256:abc'] },
  ])('$text', ({ text, parts }) => {
    const image = parseImage(text);
    expect([image.repository, image.name, image.tag, image.digest]).toEqual(parts);
    expect(formatImage(image)).toBe(text);
  });

  it.each(['kube-proxy:v1', '', 'a/b:', 'a b/c:v1', 'r/x:v1:v2'])('are rejected: %j', (text) => {
    expect(() => parseImage(text)).toThrow(`couldn't parse image name ${JSON.stringify(text)}`);
  });

  it.each([
    { version: 'v1.31.0', repository: '', then: 'registry.k8s.io/kube-proxy:v1.31.0' },
    { version: 'v1.31.0+vendor.1', repository: '', then: 'registry.k8s.io/kube-proxy:v1.31.0_vendor.1' },
    { version: 'v1.31.0', repository: 'r.example/k8s/', then: 'r.example/k8s/kube-proxy:v1.31.0' },
  ])('of version $version from "$repository"', ({ version, repository, then }) => {
    expect(withVersion('registry.k8s.io/kube-proxy:v1.30.0', version, repository)).toBe(then);
  });

  it('keep an image with a digest', () => {
    expect(() => withVersion('r.example/kube-proxy@sha256:abc', 'v1.31.0', '')).toThrow('uses digest as version');
  });

  it('have tags of valid characters only', () => {
    expect(imageTagOf('v1.2.3+a/b~c')).toBe('v1.2.3_a_b_c');
  });
});

describe('kube-proxy', () => {
  const daemonSet = (...containers: { name: string; image: string }[]): DaemonSet => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'kube-proxy' },
    spec: { selector: {}, template: { spec: { containers } } },
  });

  it('gets the image of the version, and other containers keep theirs', () => {
    const before = daemonSet({ name: 'kube-proxy', image: 'r/kube-proxy:v1' }, { name: 'other', image: 'r/other:v1' });
    expect(withProxyImage(before, 'v2.0.0', '').spec?.template.spec?.containers).toEqual([
      { name: 'kube-proxy', image: 'r/kube-proxy:v2.0.0' },
      { name: 'other', image: 'r/other:v1' },
    ]);
  });

  it('is not changed if it is up to date, or if another program runs under its name', () => {
    const current = daemonSet({ name: 'kube-proxy', image: 'r/kube-proxy:v1.31.0' });
    expect(withProxyImage(current, 'v1.31.0', '')).toBe(current);
    const foreign = daemonSet({ name: 'cilium', image: 'r/cilium' });
    expect(withProxyImage(foreign, 'v1.31.0', '')).toBe(foreign);
  });
});

const corefile = `.:53 {
    errors
    health {
       lameduck 5s
    }
    # ours
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       pods insecure
       endpoint https://a:6443 https://b:6443 # two
       ttl 30
    }
    forward . /etc/resolv.conf {
       endpoint kept kept
    }
}
`;

describe('the Corefile', () => {
  it('keeps everything except the second address of an endpoint, including comments', () => {
    const migrated = migrateCorefile(corefile, 'v1.10.1', 'v1.12.1');
    expect(migrated).toBe(
      corefile.replace('endpoint https://a:6443 https://b:6443 # two', 'endpoint https://a:6443 # two'),
    );
    expect(migrateCorefile(migrated, 'v1.10.1', 'v1.12.1')).toBe(migrated);
  });

  it('is unchanged for the same version under another tag', () => {
    expect(migrateCorefile(corefile, 'v1.10.1', '1.10.1_build.2')).toBe(corefile);
  });

  it.each([
    { tag: 'v1.12.1', then: [1, 12, 1] },
    { tag: '1.8', then: [1, 8, 0] },
    { tag: 'v1.9.3_vendor.1', then: [1, 9, 3] },
    { tag: 'v1.9.3-rc.1', then: [1, 9, 3] },
  ])('belongs to version $tag', ({ tag, then }) => {
    const { major, minor, patch } = parseCoreDnsVersion(tag);
    expect([major, minor, patch]).toEqual(then);
  });

  it.each([
    {
      from: 'v1.12.0',
      to: 'v1.11.3',
      why: 'toVersion "v1.11.3" must be greater than or equal to fromVersion "v1.12.0"',
    },
    { from: '1.6.2', to: 'v1.8.0', why: 'fromVersion "1.6.2" is not a compatible coredns version' },
    { from: 'latest', to: 'v1.8.0', why: 'error parsing semver from "latest"' },
  ])('cannot be migrated from $from to $to', ({ from, to, why }) => {
    expect(() => checkCoreDnsUpgrade(from, to)).toThrow(why);
  });
});

describe('CoreDNS', () => {
  const deployment = (image: string): Deployment => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'coredns' },
    spec: { selector: {}, template: { spec: { containers: [{ name: 'coredns', image }] } } },
  });
  const configMap: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: { Corefile: 'x' } };
  const rows: readonly {
    name: string;
    image: string;
    configuration: ClusterConfiguration;
    then: string | undefined;
  }[] = [
    {
      name: 'uses the default image',
      image: 'registry.k8s.io/coredns/coredns:v1.11.1',
      configuration: {},
      then: undefined,
    },
    {
      name: 'another tag',
      image: 'registry.k8s.io/coredns/coredns:v1.11.1',
      configuration: { dns: { imageTag: 'v1.12.0' } },
      then: 'registry.k8s.io/coredns/coredns:v1.12.0',
    },
    {
      name: 'uses the image repository of the cluster',
      image: 'registry.k8s.io/coredns/coredns:v1.11.1',
      configuration: { imageRepository: 'r.example/k8s/' },
      then: 'r.example/k8s/coredns:v1.11.1',
    },
    {
      name: 'prefers its own repository to that of the cluster',
      image: 'registry.k8s.io/coredns/coredns:v1.11.1',
      configuration: { imageRepository: 'r.example/k8s', dns: { imageRepository: 'dns.example' } },
      then: 'dns.example/coredns:v1.11.1',
    },
    {
      name: 'adds the coredns directory in the registry of Kubernetes',
      image: 'registry.k8s.io/coredns:1.8.0',
      configuration: { dns: { imageTag: 'v1.8.4' } },
      then: 'registry.k8s.io/coredns/coredns:v1.8.4',
    },
    {
      name: 'adds no directory in other registries',
      image: 'r.example/coredns:1.8.0',
      configuration: { dns: { imageTag: 'v1.8.4' } },
      then: 'r.example/coredns:v1.8.4',
    },
  ];

  it.each(rows)('$name', ({ image, configuration, then }) => {
    expect(planCoreDns(deployment(image), configMap, configuration)?.image).toBe(then);
  });

  it.each([
    { name: 'no tag', image: 'r.example/coredns', why: 'does not have a valid image tag: "r.example/coredns"' },
    { name: 'a newer version is running', image: 'r.example/coredns:v1.13.0', why: 'must be greater than or equal' },
  ])('is unchanged, with a reason: $name', ({ image, why }) => {
    expect(() => planCoreDns(deployment(image), configMap, { dns: { imageTag: 'v1.12.0' } })).toThrow(why);
  });

  it('needs no migration without a Corefile', () => {
    expect(() => planCoreDns(deployment('r/coredns:v1.9.0'), { ...configMap, data: {} }, {})).toThrow(
      'unable to find the CoreDNS Corefile data',
    );
  });
});
