import type { KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { planObjectPatch } from './object-patch.js';

const object = (kind: string, rest: object, metadata: object = {}): KubeObject =>
  ({ apiVersion: 'v1', kind, metadata: { name: 'o', namespace: 'n', ...metadata }, ...rest }) as KubeObject;
const stored = (kind: string, rest: object, metadata: object = {}): KubeObject =>
  object(kind, rest, { uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata });

describe('planObjectPatch', () => {
  const rows = [
    {
      name: 'returns undefined if nothing differs',
      current: stored('ConfigMap', { data: { a: '1' } }, { finalizers: ['f'], managedFields: [{ manager: 'm' }] }),
      desired: object('ConfigMap', { data: { a: '1' } }),
      then: undefined,
    },
    {
      name: 'removes fields that the payload no longer has',
      current: stored('ConfigMap', { data: { a: '1', b: '2' } }, { labels: { old: 'x' } }),
      desired: object('ConfigMap', { data: { a: '3' } }),
      then: { data: { a: '3', b: null }, metadata: { labels: null } },
    },
    {
      name: 'sets labels and annotations',
      current: stored('ConfigMap', {}, { labels: { old: 'x' } }),
      desired: object('ConfigMap', {}, { labels: { new: 'y' }, annotations: { a: 'b' } }),
      then: { metadata: { labels: { old: null, new: 'y' }, annotations: { a: 'b' } } },
    },
    {
      name: 'keeps the status',
      current: stored('Deployment', { spec: { replicas: 1 }, status: { replicas: 1 } }),
      desired: object('Deployment', { spec: { replicas: 2 } }),
      then: { spec: { replicas: 2 } },
    },
    {
      name: 'keeps the tokens of a ServiceAccount: without them new ones would be created at every change',
      current: stored('ServiceAccount', { secrets: [{ name: 'token-1' }], imagePullSecrets: [{ name: 'p' }] }),
      desired: object('ServiceAccount', {}, { labels: { a: 'b' } }),
      then: { metadata: { labels: { a: 'b' } } },
    },
    {
      name: 'keeps the data of a token Secret',
      current: stored('Secret', { type: 'kubernetes.io/service-account-token', data: { token: 'dA==' } }),
      desired: object('Secret', { type: 'kubernetes.io/service-account-token' }, { labels: { a: 'b' } }),
      then: { metadata: { labels: { a: 'b' } } },
    },
    {
      name: 'keeps the addresses of a Service',
      current: stored('Service', { spec: { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], type: 'ClusterIP' } }),
      desired: object('Service', { spec: { type: 'NodePort' } }),
      then: { spec: { type: 'NodePort' } },
    },
  ];
  it.each(rows)('$name', ({ current, desired, then }) => {
    expect(planObjectPatch(current, desired)).toEqual(then);
  });
});
