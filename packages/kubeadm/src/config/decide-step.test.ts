import { describe, expect, it } from 'vitest';
import { decideStep, type StepFacts } from './decide-step.js';

const worker = { kind: 'Machine', isControlPlane: false, hasNodes: false, dataSecretName: undefined } as const;
const controlPlane = { ...worker, isControlPlane: true };
const pool = { ...worker, kind: 'MachinePool' } as const;
const facts: StepFacts = {
  owner: worker,
  infrastructureProvisioned: true,
  controlPlaneInitialized: true,
  dataSecretCreated: false,
  dataSecretName: undefined,
  usesToken: false,
};
const stored = { dataSecretCreated: true, dataSecretName: 'data', usesToken: true };

describe('decideStep', () => {
  const rows: { name: string; given: Partial<StepFacts>; then: ReturnType<typeof decideStep> }[] = [
    {
      name: 'waits for the infrastructure',
      given: { ...stored, infrastructureProvisioned: false },
      then: { step: 'wait-for-infrastructure' },
    },
    {
      name: 'restores the data Secret of the owner into an empty status [14.43]',
      given: { owner: { ...controlPlane, dataSecretName: 'data' }, controlPlaneInitialized: false },
      then: { step: 'restore', dataSecretName: 'data' },
    },
    {
      name: 'restores a status without the name',
      given: { owner: { ...worker, dataSecretName: 'data' }, dataSecretCreated: true },
      then: { step: 'restore', dataSecretName: 'data' },
    },
    {
      name: 'treats an empty name as unset',
      given: { owner: { ...worker, dataSecretName: '' } },
      then: { step: 'join', role: 'worker-join' },
    },
    { name: 'refreshes the token of a machine without a Node', given: stored, then: { step: 'refresh-token' } },
    {
      name: 'does nothing for a machine that has joined',
      given: { ...stored, owner: { ...worker, hasNodes: true } },
      then: { step: 'keep' },
    },
    {
      name: 'keeps the token of a pool that waits for Nodes',
      given: { ...stored, owner: pool },
      then: { step: 'refresh-token' },
    },
    {
      name: 'rotates the token of a full pool for future machines',
      given: { ...stored, owner: { ...pool, hasNodes: true } },
      then: { step: 'rotate-token' },
    },
    {
      name: 'does nothing without a token',
      given: { ...stored, owner: pool, usesToken: false },
      then: { step: 'keep' },
    },
    {
      name: 'waits for the control plane on a worker [14.28]',
      given: { controlPlaneInitialized: false },
      then: { step: 'wait-for-control-plane' },
    },
    {
      name: 'waits for the control plane on a pool',
      given: { owner: pool, controlPlaneInitialized: false },
      then: { step: 'wait-for-control-plane' },
    },
    {
      name: 'initializes a control plane machine',
      given: { owner: controlPlane, controlPlaneInitialized: false },
      then: { step: 'initialize' },
    },
    {
      name: 'joins a control plane machine to the existing control plane',
      given: { owner: controlPlane },
      then: { step: 'join', role: 'control-plane-join' },
    },
    { name: 'joins a worker', given: {}, then: { step: 'join', role: 'worker-join' } },
  ];
  it.each(rows)('$name', ({ given, then }) => {
    expect(decideStep({ ...facts, ...given })).toEqual(then);
  });
});
