import type { KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { planMachineDeletion, syncFinalizer } from './deletion-plan.js';
import type { Authority } from './migration-plan.js';
import { planSync, type SyncState } from './sync-plan.js';

const there = { isDeleting: false };
const going = { isDeleting: true };
const by = (authority: Authority | 'Migrating' | '', isDeleting = false) => ({ authority, isDeleting });

describe('sync plan', () => {
  it.each<{ name: string; state: Partial<SyncState>; then: object }>([
    { name: 'nothing where there is nothing', state: {}, then: { type: 'nothing' } },
    { name: 'no set of Cluster API alone', state: { kind: 'MachineSet', capi: there }, then: { type: 'nothing' } },
    { name: 'no Machine of Cluster API alone', state: { capi: there }, then: { type: 'nothing' } },
    { name: 'a Machine whose set has a twin', state: { capi: there, ownerHasTwin: true }, then: { type: 'toMapi' } },
    {
      name: 'a mirror that is paused from the start [operators 38]',
      state: { mapi: by('MachineAPI') },
      then: { type: 'toCapi', isPaused: true },
    },
    {
      name: 'a machine that Cluster API is to start',
      state: { mapi: by('ClusterAPI') },
      then: { type: 'toCapi', isPaused: false },
    },
    { name: 'what Cluster API decides', state: { mapi: by('ClusterAPI'), capi: there }, then: { type: 'toMapi' } },
    {
      name: 'nothing while it is handed over',
      state: { mapi: by('Migrating'), capi: there },
      then: { type: 'nothing' },
    },
    { name: 'nothing before it is said who decides', state: { mapi: by(''), capi: there }, then: { type: 'nothing' } },
    {
      name: 'a Machine goes on both sides when its mirror is deleted [operators 39]',
      state: { mapi: by('ClusterAPI', true), capi: there },
      then: { type: 'delete', authority: 'ClusterAPI' },
    },
    {
      name: 'a set stays when its mirror in Machine API is deleted [operators 39]',
      state: { kind: 'MachineSet', mapi: by('ClusterAPI', true), capi: there },
      then: { type: 'untie' },
    },
    {
      name: 'a set of Machine API goes with its mirror [operators 39]',
      state: { kind: 'MachineSet', mapi: by('MachineAPI'), capi: going },
      then: { type: 'delete', authority: 'MachineAPI' },
    },
    {
      name: 'a set of Cluster API goes on both sides [operators 39]',
      state: { kind: 'MachineSet', mapi: by('ClusterAPI'), capi: going },
      then: { type: 'delete', authority: 'ClusterAPI' },
    },
    {
      name: 'a Machine of Cluster API that is not in Machine API any more can go',
      state: { capi: going },
      then: { type: 'untie' },
    },
    {
      name: 'nothing is deleted while it is handed over: who ends the instance is not known',
      state: { mapi: by('Migrating', true), capi: there },
      then: { type: 'nothing' },
    },
  ])('$name', ({ state, then }) => {
    expect(planSync({ kind: 'Machine', mapi: undefined, capi: undefined, ownerHasTwin: false, ...state })).toEqual(
      then,
    );
  });
});

function object(finalizers: readonly string[], isGoing = true): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Machine',
    metadata: { name: 'a', finalizers: [...finalizers], ...(isGoing && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
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
      name: 'waits for the instance that Machine API ends',
      authority: 'MachineAPI' as const,
      on: { mapi: [mapi, syncFinalizer], capi: [capi], infra: [provider] },
      then: { type: 'wait' },
    },
    {
      name: 'then takes the finalizers from the paused mirror',
      authority: 'MachineAPI' as const,
      on: { mapi: [syncFinalizer], capi: [capi], infra: [provider, syncFinalizer] },
      then: { type: 'release', side: 'infra', finalizers: [provider, syncFinalizer] },
    },
    {
      name: 'then from its Machine',
      authority: 'MachineAPI' as const,
      on: { mapi: [syncFinalizer], capi: [capi, syncFinalizer], infra: [] },
      then: { type: 'release', side: 'capi', finalizers: [capi, syncFinalizer] },
    },
    {
      name: 'never takes the provider finalizer of the side that decides',
      authority: 'ClusterAPI' as const,
      on: { mapi: [mapi], capi: [capi], infra: [provider, syncFinalizer] },
      then: { type: 'wait' },
    },
    {
      name: 'lets the infra machine go first, which the Machine waits for',
      authority: 'ClusterAPI' as const,
      on: { mapi: [mapi, syncFinalizer], capi: [capi, syncFinalizer], infra: [syncFinalizer] },
      then: { type: 'release', side: 'infra', finalizers: [syncFinalizer] },
    },
    {
      name: 'waits for the Machine that Cluster API ends',
      authority: 'ClusterAPI' as const,
      on: { mapi: [mapi, syncFinalizer], capi: [capi, syncFinalizer], infra: [] },
      then: { type: 'wait' },
    },
    {
      name: 'lets Machine API go once Cluster API is done',
      authority: 'ClusterAPI' as const,
      on: { mapi: [mapi, syncFinalizer], capi: [syncFinalizer], infra: [] },
      then: { type: 'release', side: 'mapi', finalizers: [mapi] },
    },
    {
      name: 'lets the mirror in Machine API go last: it is what the controller is woken by',
      authority: 'ClusterAPI' as const,
      on: { mapi: [syncFinalizer], capi: [], infra: [] },
      then: { type: 'release', side: 'mapi', finalizers: [syncFinalizer] },
    },
    {
      name: 'is done when nothing is left to take off [operators 40]',
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
