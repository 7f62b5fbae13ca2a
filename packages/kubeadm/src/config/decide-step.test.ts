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
      name: 'nothing happens before the infrastructure is there',
      given: { ...stored, infrastructureProvisioned: false },
      then: { step: 'wait-for-infrastructure' },
    },
    {
      name: 'what the owner was given comes back into an empty status [14.43]',
      given: { owner: { ...controlPlane, dataSecretName: 'data' }, controlPlaneInitialized: false },
      then: { step: 'restore', dataSecretName: 'data' },
    },
    {
      name: 'a status without the name is restored as well',
      given: { owner: { ...worker, dataSecretName: 'data' }, dataSecretCreated: true },
      then: { step: 'restore', dataSecretName: 'data' },
    },
    {
      name: 'an empty name counts as not set',
      given: { owner: { ...worker, dataSecretName: '' } },
      then: { step: 'join', role: 'worker-join' },
    },
    { name: 'a token of a machine without node is refreshed', given: stored, then: { step: 'refresh-token' } },
    {
      name: 'a machine that has joined needs nothing any more',
      given: { ...stored, owner: { ...worker, hasNodes: true } },
      then: { step: 'keep' },
    },
    {
      name: 'a pool that waits for nodes keeps its token',
      given: { ...stored, owner: pool },
      then: { step: 'refresh-token' },
    },
    {
      name: 'a full pool gets new tokens for what may come',
      given: { ...stored, owner: { ...pool, hasNodes: true } },
      then: { step: 'rotate-token' },
    },
    {
      name: 'without a token there is nothing to look after',
      given: { ...stored, owner: pool, usesToken: false },
      then: { step: 'keep' },
    },
    {
      name: 'a worker waits for the control plane [14.28]',
      given: { controlPlaneInitialized: false },
      then: { step: 'wait-for-control-plane' },
    },
    {
      name: 'a pool waits for the control plane',
      given: { owner: pool, controlPlaneInitialized: false },
      then: { step: 'wait-for-control-plane' },
    },
    {
      name: 'a control plane machine initializes',
      given: { owner: controlPlane, controlPlaneInitialized: false },
      then: { step: 'initialize' },
    },
    {
      name: 'a control plane machine joins the existing control plane',
      given: { owner: controlPlane },
      then: { step: 'join', role: 'control-plane-join' },
    },
    { name: 'a worker joins', given: {}, then: { step: 'join', role: 'worker-join' } },
  ];
  it.each(rows)('$name', ({ given, then }) => {
    expect(decideStep({ ...facts, ...given })).toEqual(then);
  });
});
