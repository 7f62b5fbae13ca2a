import type { KubeObject } from '@slipway/kube';
import { admissionOf, everyFeature, objectOfKind, problemsOf } from '@slipway/testing/kinds';
import { describe, expect, it } from 'vitest';
import { clusterApiAdmission } from './index.js';

const make = (kind: string, spec: object): KubeObject =>
  objectOfKind(admissionOf(clusterApiAdmission, kind).kind, structuredClone(spec));

describe('defaults', () => {
  const rows = [
    { kind: 'ClusterResourceSet', spec: { clusterSelector: {}, resources: [] }, then: { strategy: 'ApplyOnce' } },
    {
      kind: 'ExtensionConfig',
      spec: { clientConfig: { service: { name: 'a', namespace: 'b' } } },
      then: { namespaceSelector: {}, clientConfig: { service: { name: 'a', namespace: 'b', port: 443 } } },
    },
  ];
  it.each(rows)('$kind', ({ kind, spec, then }) => {
    const object = make(kind, spec);
    admissionOf(clusterApiAdmission, kind).applyDefaults(object, undefined, everyFeature);
    expect(object['spec']).toMatchObject(then);
  });
});

describe('validation', () => {
  const set = { clusterSelector: { matchLabels: { a: 'b' } }, resources: [], strategy: 'ApplyOnce' };
  const poolRef = { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'p' };
  const address = { claimRef: { name: 'c' }, poolRef, address: '10.0.0.5', prefix: 24 };
  const extension = (clientConfig: object) => ({ clientConfig });
  const pool = { addresses: ['10.0.0.10-10.0.0.20'], prefix: 24 };
  const unreadable = 'provided address is not a valid IP, range, nor CIDR';

  const rows: { name: string; kind: string; spec: object; old?: object; problems: string[] }[] = [
    { name: 'accepts a ClusterResourceSet', kind: 'ClusterResourceSet', spec: set, problems: [] },
    {
      name: 'requires a selector',
      kind: 'ClusterResourceSet',
      spec: { ...set, clusterSelector: {} },
      problems: ['spec.clusterSelector: Invalid value: {}: selector must not be empty'],
    },
    {
      name: 'rejects changes of strategy and selector',
      kind: 'ClusterResourceSet',
      spec: { ...set, strategy: 'Reconcile', clusterSelector: { matchLabels: { a: 'c' } } },
      old: set,
      problems: ['spec.strategy: Forbidden: field is immutable', 'spec.clusterSelector: Forbidden: field is immutable'],
    },
    {
      name: 'rejects a change of the cluster',
      kind: 'ClusterResourceSetBinding',
      spec: { clusterName: 'b' },
      old: { clusterName: 'a' },
      problems: ['spec.clusterName: Forbidden: field is immutable'],
    },
    {
      name: 'accepts a clusterName that was empty',
      kind: 'ClusterResourceSetBinding',
      spec: { clusterName: 'b' },
      old: {},
      problems: [],
    },
    { name: 'accepts an address', kind: 'IPAddress', spec: { ...address, gateway: '10.0.0.1' }, problems: [] },
    {
      name: 'requires a valid address',
      kind: 'IPAddress',
      spec: { ...address, address: '10.0.5' },
      problems: ['spec.address: Invalid value: "10.0.5": not a valid IP address'],
    },
    {
      name: "requires prefix and gateway of the address's family",
      kind: 'IPAddress',
      spec: { ...address, prefix: 64, gateway: 'fd00::1' },
      problems: [
        'spec.prefix: Invalid value: 64: prefix must be between 0 and 32',
        'spec.gateway: Invalid value: "fd00::1": must be of the same address family as spec.address',
      ],
    },
    {
      name: 'is immutable',
      kind: 'IPAddress',
      spec: address,
      old: { ...address, prefix: 25 },
      problems: ['spec: Forbidden: the spec of IPAddress is immutable'],
    },
    {
      name: 'is immutable',
      kind: 'IPAddressClaim',
      spec: { poolRef },
      old: { poolRef: { ...poolRef, name: 'q' } },
      problems: ['spec: Forbidden: the spec of IPAddressClaim is immutable'],
    },
    {
      name: 'requires exactly one of url and service',
      kind: 'ExtensionConfig',
      spec: extension({ url: 'https://a', service: { name: 'a', namespace: 'b' } }),
      problems: ['spec.clientConfig: Forbidden: only one of url or service can be defined'],
    },
    {
      name: 'requires https',
      kind: 'ExtensionConfig',
      spec: extension({ url: 'http://a' }),
      problems: [
        'spec.clientConfig.url: Invalid value: "http://a": \'https\' is the only allowed URL scheme, e.g. https://example.com',
      ],
    },
    {
      name: 'requires a valid service',
      kind: 'ExtensionConfig',
      spec: extension({ service: { name: 'a', namespace: 'b', path: 'x', port: 70_000 } }),
      problems: [
        'spec.clientConfig.service.path: Invalid value: "x": must start with \'/\'',
        'spec.clientConfig.service.port: Invalid value: 70000: must be between 1 and 65535, inclusive',
      ],
    },
    { name: 'accepts a pool', kind: 'InClusterIPPool', spec: { ...pool, gateway: '10.0.0.1' }, problems: [] },
    {
      name: 'accepts single addresses and CIDR blocks',
      kind: 'GlobalInClusterIPPool',
      spec: { addresses: ['fd00::/120', 'fd00::1:5'], prefix: 64 },
      problems: [],
    },
    {
      name: 'requires valid addresses',
      kind: 'InClusterIPPool',
      spec: { ...pool, addresses: ['10.0.0.20-10.0.0.10', '10.0.0.0/33', 'x'] },
      problems: ['10.0.0.20-10.0.0.10', '10.0.0.0/33', 'x'].map(
        (text, index) => `spec.addresses[${index}]: Invalid value: "${text}": ${unreadable}`,
      ),
    },
    {
      name: 'rejects addresses of several subnets',
      kind: 'InClusterIPPool',
      spec: { ...pool, addresses: ['10.0.0.10-10.0.0.20', '10.0.1.5', '10.0.0.250-10.0.1.2'] },
      problems: ['10.0.1.5', '10.0.0.250-10.0.1.2'].map(
        (text, index) =>
          `spec.addresses[${index + 1}]: Invalid value: "${text}": provided address belongs to a different subnet than others`,
      ),
    },
    {
      name: 'rejects excluded addresses of another family',
      kind: 'InClusterIPPool',
      spec: { ...pool, excludedAddresses: ['10.0.0.12', 'fd00::1'] },
      problems: [
        'spec.excludedAddresses[1]: Invalid value: "fd00::1": addresses and excluded addresses are of mixed IP families',
      ],
    },
    {
      name: 'rejects two families',
      kind: 'InClusterIPPool',
      spec: { ...pool, addresses: ['10.0.0.1', 'fd00::1'], gateway: 'fd00::2' },
      problems: [
        'spec.addresses[1]: Invalid value: "fd00::1": provided addresses are of mixed IP families',
        'spec.gateway: Invalid value: "fd00::2": must be of the same address family as spec.addresses',
      ],
    },
  ];
  it.each(rows)('$kind: $name', ({ kind, spec, old, problems }) => {
    const former = old && make(kind, old);
    expect(problemsOf(admissionOf(clusterApiAdmission, kind), make(kind, spec), former)).toEqual(problems);
  });
});
