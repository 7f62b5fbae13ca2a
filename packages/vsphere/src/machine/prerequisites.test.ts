import { labels } from '@slipway/cluster-api';
import { describe, expect, it } from 'vitest';
import { waitForPrerequisites } from './prerequisites.js';
import type { CommonMachine, ObservedMachine } from './vm-service.js';

type Owners = Pick<ObservedMachine<CommonMachine>, 'machine' | 'cluster'>;

const ownersOf = (initialization: object, data: boolean, controlPlane = false): Owners =>
  ({
    cluster: { metadata: {}, spec: {}, status: { initialization } },
    machine: {
      metadata: { labels: controlPlane ? { [labels.controlPlane]: '' } : {} },
      spec: { bootstrap: data ? { dataSecretName: 'd' } : {} },
    },
  }) as unknown as Owners;

describe('waitForPrerequisites', () => {
  it('vsphere 44: machines of a Supervisor do not wait for an endpoint that may come from them', () => {
    expect(waitForPrerequisites(ownersOf({}, true), false)).toBeUndefined();
    expect(waitForPrerequisites(ownersOf({}, true), true)?.condition).toMatchObject({
      reason: 'WaitingForClusterInfrastructureReady',
    });
  });

  it.each([
    [
      'the control plane',
      ownersOf({ infrastructureProvisioned: true }, false),
      'WaitingForControlPlaneInitialized',
      'WaitingForControlPlaneAvailable',
    ],
    [
      'its data',
      ownersOf({ infrastructureProvisioned: true }, false, true),
      'WaitingForBootstrapData',
      'WaitingForBootstrapData',
    ],
  ])('waits for %s, without an error and without a timer', (_name, owners, reason, oldReason) => {
    const state = waitForPrerequisites(owners, true);
    expect(state).toMatchObject({ condition: { reason }, old: { reason: oldReason, severity: 'Info' } });
    expect(state?.outcome).toEqual({ type: 'wait', reason, message: expect.any(String) as string });
  });
});
