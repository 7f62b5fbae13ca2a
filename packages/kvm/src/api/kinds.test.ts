import { canonicalJson, type Frozen, type KubeObject } from '@slipway/kube';
import { checkNewOldNew, checkOldNewOld } from '@slipway/testing/kinds';
import { describe, expect, it } from 'vitest';
import { kvmConversions } from './kinds.js';

// Objects are compared as JSON text: keys such as `constructor` confuse the comparison of objects.
const equal = (actual: unknown, expected: unknown) => expect(canonicalJson(actual)).toBe(canonicalJson(expected));

describe.each(kvmConversions.map((conversion) => ({ name: conversion.kind.kind, conversion })))(
  '$name of the contract v1beta1',
  ({ conversion }) => {
    it('converts from either version and back without loss', () => {
      expect(() => checkNewOldNew(conversion, equal)).not.toThrow();
      expect(() => checkOldNewOld(conversion, equal)).not.toThrow();
    });

    it('lists its failure domains by name, and reports that it is ready', () => {
      const stored = {
        apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
        kind: 'KVMCluster',
        metadata: { name: 'abc', namespace: 'default' },
        status: { ready: true, failureDomains: [{ name: 'a', controlPlane: true }, { name: 'b' }] },
      } as Frozen<KubeObject>;
      expect(conversion.down(stored, () => '')).toMatchObject({
        apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
        status: { ready: true, failureDomains: { a: { controlPlane: true }, b: {} } },
      });
    });
  },
);
