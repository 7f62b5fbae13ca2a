import { describe, expect, it } from 'vitest';
import {
  clusterDocument,
  clusterFacts,
  endpointOf,
  initDocument,
  joinDocument,
  withUninitializedTaint,
} from './index.js';

const v3 = 'kubeadm.k8s.io/v1beta3';
const v4 = 'kubeadm.k8s.io/v1beta4';
const timeouts = { controlPlaneComponentHealthCheckSeconds: 240, tlsBootstrapSeconds: 90, discoverySeconds: 5 };
const facts = { clusterName: 'blue' };

describe('documents by kubeadm API version', () => {
  it('writes arguments as a list, or as a map in which the last of equal names wins', () => {
    const extraArgs = [
      { name: 'a', value: '1' },
      { name: '__proto__', value: '2' },
      { name: 'a', value: '3' },
    ];
    const list = clusterDocument(v4, { scheduler: { extraArgs } }, facts)['scheduler'];
    expect(list).toEqual({ extraArgs });
    const map = (clusterDocument(v3, { scheduler: { extraArgs } }, facts)['scheduler'] as { extraArgs: object })
      .extraArgs;
    expect(Object.entries(map)).toEqual([
      ['a', '3'],
      ['__proto__', '2'],
    ]);
  });

  it('writes timeouts as a section in v1beta4, and drops most of them in v1beta3', () => {
    expect(initDocument(v4, { timeouts })['timeouts']).toEqual({
      controlPlaneComponentHealthCheck: '4m0s',
      tlsBootstrap: '1m30s',
      discovery: '5s',
    });
    expect(initDocument(v3, { timeouts })).not.toHaveProperty('timeouts');
    expect(clusterDocument(v3, {}, facts, { timeouts })['apiServer']).toEqual({ timeoutForControlPlane: '4m0s' });
    expect(clusterDocument(v4, {}, facts, { timeouts })['apiServer']).toEqual({});
    expect(joinDocument(v3, { timeouts })['discovery']).toEqual({ timeout: '1m30s' });
    expect(joinDocument(v4, { timeouts })['discovery']).toEqual({});
  });

  it('drops fields that only v1beta4 has for v1beta3', () => {
    const configuration = {
      encryptionAlgorithm: 'RSA-4096' as const,
      certificateValidityPeriodDays: 365,
      scheduler: { extraEnvs: [{ name: 'A', value: 'b' }] },
    };
    expect(clusterDocument(v4, configuration, facts)).toMatchObject({
      encryptionAlgorithm: 'RSA-4096',
      certificateValidityPeriod: '8760h0m0s',
      scheduler: { extraEnvs: [{ name: 'A', value: 'b' }] },
      proxy: {},
    });
    expect(Object.keys(clusterDocument(v3, configuration, facts)).sort()).toEqual(
      [
        'apiServer',
        'apiVersion',
        'clusterName',
        'controllerManager',
        'dns',
        'etcd',
        'kind',
        'networking',
        'scheduler',
      ].sort(),
    );
    const node = { nodeRegistration: { imagePullSerial: false } };
    expect(joinDocument(v4, node)['nodeRegistration']).toEqual({ taints: null, imagePullSerial: false });
    expect(joinDocument(v3, node)['nodeRegistration']).toEqual({ taints: null });
  });

  it('writes complete bootstrap tokens', () => {
    const token = 'abcdef.0123456789abcdef';
    const bootstrapTokens = [
      { token, expires: '2030-01-01T00:00:00Z' },
      { token, ttlSeconds: 0, usages: ['signing'] },
    ];
    expect(initDocument(v3, { bootstrapTokens })['bootstrapTokens']).toEqual([
      { token, expires: '2030-01-01T00:00:00Z' },
      { token, ttl: '0s', usages: ['signing'] },
    ]);
  });

  it('distinguishes absent from empty taints', () => {
    expect(initDocument(v4, { nodeRegistration: { taints: [] } })['nodeRegistration']).toEqual({ taints: [] });
    expect(initDocument(v4, {})['nodeRegistration']).toEqual({ taints: null });
  });
});

describe('facts of the cluster', () => {
  it('are filled in at render time; the endpoint of the user takes precedence over that of the Cluster', () => {
    const cluster = {
      metadata: { name: 'blue' },
      spec: {
        controlPlaneEndpoint: { host: 'fd00::1', port: 6443 },
        clusterNetwork: { pods: { cidrBlocks: ['10.0.0.0/8', 'fd00::/64'] }, serviceDomain: 'x.local' },
      },
    };
    const found = clusterFacts(cluster, 'v1.36.0');
    expect(found).toEqual({
      clusterName: 'blue',
      kubernetesVersion: 'v1.36.0',
      controlPlaneEndpoint: '[fd00::1]:6443',
      dnsDomain: 'x.local',
      podSubnet: '10.0.0.0/8,fd00::/64',
    });
    expect(clusterDocument(v4, {}, found)).toMatchObject({ controlPlaneEndpoint: '[fd00::1]:6443' });
    expect(clusterDocument(v4, { controlPlaneEndpoint: 'lb:443' }, found)).toMatchObject({
      controlPlaneEndpoint: 'lb:443',
    });
  });

  it.each([
    [{}],
    [{ controlPlaneEndpoint: { host: 'a', port: 0 } }],
    [{ controlPlaneEndpoint: { host: '', port: 1 } }],
  ])('uses an endpoint only if host and port are both set: %j', (spec) => {
    expect(endpointOf({ metadata: { name: 'a' }, spec })).toBeUndefined();
  });
});

describe('withUninitializedTaint', () => {
  it('adds the uninitialized taint only to rendered worker data, not to the stored KubeadmConfig', () => {
    const stored = Object.freeze({
      nodeRegistration: Object.freeze({ taints: Object.freeze([{ key: 'a', effect: 'NoExecute' }]) }),
    });
    const rendered = withUninitializedTaint(stored as never);
    expect(rendered.nodeRegistration?.taints).toEqual([
      { key: 'a', effect: 'NoExecute' },
      { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' },
    ]);
    expect(stored.nodeRegistration.taints).toHaveLength(1);
    expect(withUninitializedTaint(rendered)).toBe(rendered);
  });
});
