import type { KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { isUnchanged } from './unchanged.js';

const manifest = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineDeployment',
  metadata: { name: 'a', labels: { team: 'x' } },
  spec: { clusterName: 'a', replicas: 2, template: { spec: { taints: [{ key: 'k', value: 'v' }] } } },
} as KubeObject;

const live = {
  ...manifest,
  metadata: { name: 'a', namespace: 'default', uid: 'u', labels: { team: 'x', other: 'y' } },
  spec: { ...(manifest['spec'] as object), paused: false },
  status: { replicas: 2 },
} as KubeObject;

const applied = (fieldsV1: object): KubeObject =>
  ({
    ...live,
    metadata: { ...live.metadata, managedFields: [{ manager: 'slipway', operation: 'Apply', fieldsV1 }] },
  }) as KubeObject;

describe('isUnchanged', () => {
  it.each([
    { name: 'is unchanged if the live object has all its fields', object: manifest, with: live, expected: true },
    {
      name: 'is changed if a value differs',
      object: { ...manifest, spec: { clusterName: 'a', replicas: 3 } },
      with: live,
      expected: false,
    },
    {
      name: 'is changed if a list is longer',
      object: { ...manifest, spec: { template: { spec: { taints: [{ key: 'k', value: 'v' }, { key: 'l' }] } } } },
      with: live,
      expected: false,
    },
    {
      name: 'is unchanged if it still has every field that was applied before',
      object: manifest,
      with: applied({
        'f:spec': {
          'f:replicas': {},
          'f:template': { 'f:spec': { 'f:taints': { 'k:{"key":"k"}': { 'f:value': {} } } } },
        },
      }),
      expected: true,
    },
    {
      name: 'is changed if it no longer has a field that was applied before',
      object: manifest,
      with: applied({ 'f:spec': { 'f:paused': {} } }),
      expected: false,
    },
    {
      name: 'is changed if it no longer has a list item that was applied before',
      object: manifest,
      with: applied({ 'f:spec': { 'f:template': { 'f:spec': { 'f:taints': { 'k:{"key":"z"}': { '.': {} } } } } } }),
      expected: false,
    },
  ])('$name', ({ object, with: other, expected }) => {
    expect(isUnchanged(object as KubeObject, other, 'slipway')).toBe(expected);
  });
});
