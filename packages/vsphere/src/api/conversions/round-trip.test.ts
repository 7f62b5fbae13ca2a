import { canonicalJson, type Frozen, type KubeObject } from '@slipway/kube';
import { checkNewOldNew, checkOldNewOld, type Override, type RoundTripOptions } from '@slipway/testing/kinds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { machinePhases } from '../supervisor/index.js';
import { vsphereConversions } from './index.js';

const machineFields = ['failureDomain', 'network.preferredAPIServerCidr'];
const lostAt = (prefix: string): string[] => machineFields.map((path) => `${prefix}.${path}`);

const secret = { apiVersion: 'v1', kind: 'Secret', name: 'data', namespace: 'default' };

// Restricts values of old versions to those that the new version can hold, such as whole seconds above 0 and a Secret of the same
// namespace.
const override: Override = (path) => {
  if (path.endsWith('guestSoftPowerOffTimeout')) return fc.constantFrom('1s', '5m0s');
  if (path === 'spec.bootstrapRef') return fc.constant(secret);
  if (path === 'status.vmstatus') return fc.constantFrom(...machinePhases.map((phase) => phase.toLowerCase()));
  return undefined;
};

// Sets `vmIp` to the first address: the field is not stored, conversion derives it from the addresses.
function settleAddress(object: KubeObject): KubeObject {
  const status = object['status'] as { addresses?: { address: string }[]; vmIp?: string } | undefined;
  if (status === undefined) return object;
  const { vmIp: _vmIp, ...rest } = status;
  const address = status.addresses?.[0]?.address;
  const settled = { ...rest, ...(address !== undefined && { vmIp: address }) };
  const { status: _status, ...others } = object;
  return Object.keys(settled).length === 0 ? (others as KubeObject) : { ...object, status: settled };
}

const options: Readonly<Record<string, RoundTripOptions>> = {
  'infrastructure.cluster.x-k8s.io VSphereMachine': { lost: lostAt('spec'), override },
  'infrastructure.cluster.x-k8s.io VSphereMachineTemplate': { lost: lostAt('spec.template.spec'), override },
  'infrastructure.cluster.x-k8s.io VSphereVM': { lost: lostAt('spec'), override },
  'infrastructure.cluster.x-k8s.io VSphereFailureDomain': {
    lost: ['spec.region.autoConfigure', 'spec.zone.autoConfigure'],
  },
  'vmware.infrastructure.cluster.x-k8s.io VSphereCluster': { lost: ['status.resourcePolicyName'] },
  'vmware.infrastructure.cluster.x-k8s.io VSphereMachine': { lost: lostAt('spec'), override, settle: settleAddress },
  'vmware.infrastructure.cluster.x-k8s.io VSphereMachineTemplate': { lost: lostAt('spec.template.spec') },
};

// Objects are compared as JSON text: keys such as `constructor` confuse the comparison of objects.
const equal = (actual: unknown, expected: unknown) => expect(canonicalJson(actual)).toBe(canonicalJson(expected));

const conversions = vsphereConversions.map((conversion) => {
  const name = `${conversion.kind.group} ${conversion.kind.kind}`;
  return { name, version: conversion.version, conversion, settings: options[name] ?? {} };
});

describe.each(conversions)('$name $version', ({ conversion, settings }) => {
  it('converts from the old version and back without loss', () => {
    expect(() => checkNewOldNew(conversion, equal, settings)).not.toThrow();
  });

  it('converts from the storage version and back without loss', () => {
    expect(() => checkOldNewOld(conversion, equal, settings)).not.toThrow();
  });
});

describe('zero and unset', () => {
  const machine = conversions.find(({ name }) => name === 'infrastructure.cluster.x-k8s.io VSphereMachine')?.conversion;
  const rows = [
    { name: 'cores chosen at power-on', spec: { numCoresPerSocket: 0 } },
    { name: 'cores of the template', spec: {} },
    { name: 'DHCP explicitly disabled', spec: { network: { devices: [{ networkName: 'a', dhcp4: false }] } } },
    { name: 'DHCP unset', spec: { network: { devices: [{ networkName: 'a' }] } } },
  ];
  it.each(rows)('keeps $name when a client of the old version writes zero', ({ spec }) => {
    const stored = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'VSphereMachine',
      metadata: { name: 'm', namespace: 'default' },
      spec: { network: { devices: [] }, template: 't', ...spec },
    } as Frozen<KubeObject>;
    const old = machine?.down(stored, () => '') as KubeObject;
    const oldSpec = old['spec'] as { network: { devices: object[] } };
    const rewritten = {
      ...old,
      spec: {
        ...oldSpec,
        numCoresPerSocket: 0,
        network: { devices: oldSpec.network.devices.map((device) => ({ ...device, dhcp4: false, dhcp6: false })) },
      },
    };
    expect(machine?.up(rewritten as Frozen<KubeObject>)['spec']).toEqual(stored['spec']);
  });
});
