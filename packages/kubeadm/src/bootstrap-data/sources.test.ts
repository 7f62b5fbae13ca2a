import { seededRandom, VirtualClock } from '@slipway/base';
import { type Certificate, certificateToPem, createCa, generatePrivateKey, publicKeyPin } from '@slipway/pki';
import type { Secret } from '@slipway/runtime';
import { beforeAll, describe, expect, it } from 'vitest';
import { bootstrapDataSecret, createBootstrapData } from './bootstrap-data.js';
import { discoveryFile, planDiscovery, withToken } from './discovery.js';
import { secretNamesOf } from './resolve-sources.js';
import type { KubeadmConfigSpecView } from './types.js';

const cluster = { metadata: { name: 'blue' }, spec: { controlPlaneEndpoint: { host: '10.0.0.1', port: 6443 } } };
let authority: Certificate;
beforeAll(async () => {
  const key = await generatePrivateKey('ECDSA');
  const dependencies = { clock: new VirtualClock(), random: seededRandom(1) };
  authority = (await createCa(dependencies, { commonName: 'kubernetes', key })).certificate;
});

describe('planDiscovery', () => {
  it('sets the endpoint and the hashes, and requests a token', () => {
    const plan = planDiscovery({}, cluster, certificateToPem(authority));
    expect(plan).toEqual({
      kind: 'ready',
      needsToken: true,
      joinConfiguration: {
        discovery: { bootstrapToken: { apiServerEndpoint: '10.0.0.1:6443', caCertHashes: [publicKeyPin(authority)] } },
      },
    });
  });

  it('keeps the values of the user', () => {
    const bootstrapToken = {
      token: 'abcdef.0123456789abcdef',
      apiServerEndpoint: 'lb:443',
      caCertHashes: ['sha256:1'],
    };
    const join = { discovery: { bootstrapToken, tlsBootstrapToken: 'x' } };
    expect(planDiscovery(join, { metadata: {}, spec: {} }, '')).toEqual({
      kind: 'ready',
      needsToken: false,
      joinConfiguration: join,
    });
  });

  it('waits for the endpoint of the cluster', () => {
    const nowhere = { metadata: { name: 'blue' }, spec: {} };
    expect(planDiscovery({}, nowhere, certificateToPem(authority))).toMatchObject({ kind: 'wait', ms: 10_000 });
    const file = { kubeConfigPath: '/a', kubeConfig: { user: {} } };
    expect(planDiscovery({ discovery: { file } }, nowhere, '')).toMatchObject({ kind: 'wait' });
  });

  it('rejects a CA without certificates', () => {
    expect(() => planDiscovery({}, cluster, 'no PEM')).toThrow('unable to parse ca certificate');
  });

  it('requests no token for file discovery; an inline kubeConfig is completed and written as a file', () => {
    const plain = { discovery: { file: { kubeConfigPath: '/a' } } };
    expect(planDiscovery(plain, cluster, '')).toEqual({ kind: 'ready', needsToken: false, joinConfiguration: plain });
    expect(discoveryFile(plain)).toBeUndefined();
    const inline = { discovery: { file: { kubeConfigPath: '/a', kubeConfig: { user: {} } } } };
    const plan = planDiscovery(inline, cluster, 'PEM');
    expect(plan.kind === 'ready' && discoveryFile(plan.joinConfiguration)).toMatchObject({
      path: '/a',
      permissions: '0640',
      content: expect.stringContaining('server: https://10.0.0.1:6443') as string,
    });
  });

  it('sets a token', () => {
    expect(withToken({ discovery: { bootstrapToken: { apiServerEndpoint: 'a' } } }, 't')).toEqual({
      discovery: { bootstrapToken: { apiServerEndpoint: 'a', token: 't' } },
    });
  });
});

function render(
  spec: KubeadmConfigSpecView,
  secrets: Record<string, Record<string, string>> = {},
  more: object = {},
): string {
  const byName = Object.entries(secrets).map(([name, data]): [string, Secret] => [
    name,
    { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data },
  ]);
  return createBootstrapData({
    role: 'worker-join',
    config: { metadata: { name: 'm' }, spec: spec as never },
    cluster,
    kubernetesVersion: 'v1.36.0',
    secrets: new Map(byName),
    ...more,
  }).value;
}

const fromSecret = { secret: { name: 'a', key: 'b' } };

describe('files and users from Secrets', () => {
  it('are listed before they are read', () => {
    const spec = {
      files: [
        { path: '/a', contentFrom: fromSecret },
        { path: '/b', content: 'x' },
      ],
      users: [{ name: 'u', passwdFrom: { secret: { name: 'c', key: 'd' } } }],
    };
    expect(secretNamesOf(spec)).toEqual(['a', 'c']);
    expect(secretNamesOf({})).toEqual([]);
  });

  it.each([
    ['an absent Secret', {}, 'secret not found: a, required for file /a'],
    ['an absent key', { a: { other: 'c2VjcmV0' } }, 'secret references non-existent secret key: "b" of secret a'],
    ['a key of every object', { a: {} }, 'non-existent secret key'],
  ])('reports %s by name, without its content', (_name, secrets, message) => {
    const failing = (): string => render({ files: [{ path: '/a', contentFrom: fromSecret }] }, secrets);
    expect(failing).toThrow(message);
    expect(failing).not.toThrow('secret\n');
  });

  it('reports which template is invalid, and why', () => {
    const spec = {
      files: [{ path: '/a', content: '{{ .controlPlane.version }}', contentFormat: 'Template' as const }],
    };
    expect(() => render(spec)).toThrow('failed to render template for file "/a": nil pointer');
    expect(render(spec, {}, { controlPlaneVersion: '1.36' })).toContain('      v1.36.0\n');
    expect(() => render(spec, {}, { controlPlaneVersion: 'x' })).toThrow('failed to parse kubernetes version');
  });
});

describe('roles', () => {
  it('reject a worker with joinConfiguration.controlPlane', () => {
    expect(() => render({ joinConfiguration: { controlPlane: {} } })).toThrow(
      'Machine is a Worker, but JoinConfiguration.ControlPlane is set in the KubeadmConfig object',
    );
  });

  it('add an empty `controlPlane: {}` to the join of a control plane', () => {
    const data = render({}, {}, { role: 'control-plane-join', certificates: [] });
    expect(data).toContain('      controlPlane:\n        localAPIEndpoint: {}\n');
  });

  it('require certificates for a control plane', () => {
    expect(() => render({}, {}, { role: 'init' })).toThrow('needs the certificates of its cluster');
  });
});

it('name the data Secret after its KubeadmConfig, which owns it', () => {
  const secret = bootstrapDataSecret({ metadata: { name: 'm', namespace: 'n', uid: 'u' } }, 'blue', {
    format: 'ignition',
    value: 'é',
  });
  expect(secret).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'm',
      namespace: 'n',
      labels: { 'cluster.x-k8s.io/cluster-name': 'blue' },
      ownerReferences: [
        {
          apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
          kind: 'KubeadmConfig',
          name: 'm',
          uid: 'u',
          controller: true,
        },
      ],
    },
    type: 'cluster.x-k8s.io/secret',
    data: { value: 'w6k=', format: 'aWduaXRpb24=' },
  });
});
