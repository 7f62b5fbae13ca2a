import type { KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { planMachineDeletion, syncFinalizer } from './deletion-plan.js';
import type { Authority } from './migration-plan.js';
import { planSync, type SyncState } from './sync-plan.js';

const present = { isDeleting: false };
const deleting = { isDeleting: true };
const by = (authority: Authority | 'Migrating' | '', isDeleting = false) => ({ authority, isDeleting });

describe('sync plan', () => {
  it.each<{ name: string; state: Partial<SyncState>; then: object }>([
    { name: 'does nothing without resources', state: {}, then: { type: 'nothing' } },
    {
      name: 'does nothing for a set that only Cluster API has',
      state: { kind: 'MachineSet', capi: present },
      then: { type: 'nothing' },
    },
    {
      name: 'does nothing for a Machine that only Cluster API has',
      state: { capi: present },
      then: { type: 'nothing' },
    },
    {
      name: 'mirrors a Machine whose set has a counterpart',
      state: { capi: present, ownerHasTwin: true },
      then: { type: 'toMapi' },
    },
    {
      name: 'creates a paused mirror [operators 38]',
      state: { mapi: by('MachineAPI') },
      then: { type: 'toCapi', isPaused: true },
    },
    {
      name: 'creates a machine that Cluster API starts',
      state: { mapi: by('ClusterAPI') },
      then: { type: 'toCapi', isPaused: false },
    },
    {
      name: 'mirrors an object of which Cluster API is authoritative',
      state: { mapi: by('ClusterAPI'), capi: present },
      then: { type: 'toMapi' },
    },
    {
      name: 'does nothing during a migration',
      state: { mapi: by('Migrating'), capi: present },
      then: { type: 'nothing' },
    },
    {
      name: 'does nothing before status.authoritativeAPI is initialized',
      state: { mapi: by(''), capi: present },
      then: { type: 'nothing' },
    },
    {
      name: 'deletes a Machine in both APIs when its mirror is deleted [operators 39]',
      state: { mapi: by('ClusterAPI', true), capi: present },
      then: { type: 'delete', authority: 'ClusterAPI' },
    },
    {
      name: 'keeps a set when its mirror in Machine API is deleted [operators 39]',
      state: { kind: 'MachineSet', mapi: by('ClusterAPI', true), capi: present },
      then: { type: 'untie' },
    },
    {
      name: 'deletes a set of Machine API with its mirror [operators 39]',
      state: { kind: 'MachineSet', mapi: by('MachineAPI'), capi: deleting },
      then: { type: 'delete', authority: 'MachineAPI' },
    },
    {
      name: 'deletes a set of Cluster API in both APIs [operators 39]',
      state: { kind: 'MachineSet', mapi: by('ClusterAPI'), capi: deleting },
      then: { type: 'delete', authority: 'ClusterAPI' },
    },
    {
      name: 'releases a Machine of Cluster API without a Machine API resource',
      state: { capi: deleting },
      then: { type: 'untie' },
    },
    {
      name: 'deletes nothing during a migration, because no API is authoritative to delete the instance',
      state: { mapi: by('Migrating', true), capi: present },
      then: { type: 'nothing' },
    },
  ])('$name', ({ state, then }) => {
    expect(planSync({ kind: 'Machine', mapi: undefined, capi: undefined, ownerHasTwin: false, ...state })).toEqual(
      then,
    );
  });
});

function object(finalizers: readonly string[], isDeleting = true): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Machine',
    metadata: {
      name: 'a',
      finalizers: [...finalizers],
      ...(isDeleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
  };
}

describe('deleting a machine', () => {
  const [mapi, capi, provider] = [
    'machine.machine.openshift.io',
    'machine.cluster.x-k8s.io',
    'awsmachine.infrastructure.cluster.x-k8s.io',
  ];
  const all = (authority: Authority, on: { mapi: string[]; capi: string[]; infra: string[] }) =>
    planMachineDeletion(authority, { mapi: object(on.mapi), capi: object(on.capi), infra: object(on.infra) });

  it.each([
    {
      name: 'waits until Machine API has deleted the instance',
      authority: 'MachineAPI' as const,
      on: { mapi: [mapi, syncFinalizer], capi: [capi], infra: [provider] },
      then: { type: 'wait' },
    },
    {
      name: 'then removes the finalizers of the paused infrastructure machine',
      authority: 'MachineAPI' as const,
      on: { mapi: [syncFinalizer], capi: [capi], infra: [provider, syncFinalizer] },
      then: { type: 'release', side: 'infra', finalizers: [provider, syncFinalizer] },
    },
    {
      name: 'then removes those of its Machine',
      authority: 'MachineAPI' as const,
      on: { mapi: [syncFinalizer], capi: [capi, syncFinalizer], infra: [] },
      then: { type: 'release', side: 'capi', finalizers: [capi, syncFinalizer] },
    },
    {
      name: 'never removes the provider finalizer of the authoritative API',
      authority: 'ClusterAPI' as const,
      on: { mapi: [mapi], capi: [capi], infra: [provider, syncFinalizer] },
      then: { type: 'wait' },
    },
    {
      name: 'releases the infrastructure machine first, because the Machine waits for it',
      authority: 'ClusterAPI' as const,
      on: { mapi: [mapi, syncFinalizer], capi: [capi, syncFinalizer], infra: [syncFinalizer] },
      then: { type: 'release', side: 'infra', finalizers: [syncFinalizer] },
    },
    {
      name: 'waits until Cluster API has deleted the Machine',
      authority: 'ClusterAPI' as const,
      on: { mapi: [mapi, syncFinalizer], capi: [capi, syncFinalizer], infra: [] },
      then: { type: 'wait' },
    },
    {
      name: 'releases the Machine API resource once Cluster API is done',
      authority: 'ClusterAPI' as const,
      on: { mapi: [mapi, syncFinalizer], capi: [syncFinalizer], infra: [] },
      then: { type: 'release', side: 'mapi', finalizers: [mapi] },
    },
    {
      name: 'releases the Machine API mirror last, because its events trigger the controller',
      authority: 'ClusterAPI' as const,
      on: { mapi: [syncFinalizer], capi: [], infra: [] },
      then: { type: 'release', side: 'mapi', finalizers: [syncFinalizer] },
    },
    {
      name: 'is done when no finalizer is left [operators 40]',
      authority: 'ClusterAPI' as const,
      on: { mapi: [], capi: [], infra: [] },
      then: { type: 'done' },
    },
  ])('$name', ({ authority, on, then }) => {
    expect(all(authority, on)).toMatchObject(then);
  });

  it('deletes the other resource first', () => {
    const objects = { mapi: object([mapi]), capi: object([capi], false), infra: undefined };
    expect(planMachineDeletion('MachineAPI', objects)).toEqual({ type: 'delete', side: 'capi' });
  });
});
