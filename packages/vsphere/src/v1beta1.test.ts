import type { ReportedCondition } from '@slipway/provider-kit';
import { describe, expect, it } from 'vitest';
import { mirrorConditions } from './v1beta1.js';

interface Target {
  status?: { deprecated?: { v1beta1?: { conditions?: object[] } } };
}

const mirrored = (...reported: ReportedCondition[]): object[] => {
  const draft: Target & { metadata: object } = { metadata: {} };
  mirrorConditions({ VirtualMachineProvisioned: 'VMProvisioned' })(draft, reported, 0);
  return draft.status?.deprecated?.v1beta1?.conditions ?? [];
};

const waiting = (reason: string, more: Partial<ReportedCondition> = {}): ReportedCondition => ({
  type: 'VirtualMachineProvisioned',
  status: 'False',
  reason,
  message: 'm',
  ...more,
});

describe('mirrorConditions', () => {
  it.each([
    ['WaitingForClusterInfrastructureReady', 'WaitingForClusterInfrastructure'],
    ['WaitingForControlPlaneInitialized', 'WaitingForControlPlaneAvailable'],
    ['WaitingForBootstrapData', 'WaitingForBootstrapData'],
  ])('writes a wait for %s with severity Info and the deprecated reason %s', (reason, deprecated) => {
    const state = { status: 'False', severity: 'Info', reason: deprecated, message: 'm' };
    expect(mirrored(waiting(reason))).toMatchObject([
      { type: 'Ready', ...state },
      { type: 'VMProvisioned', ...state },
    ]);
  });

  it('prefers the deprecated reason of the condition', () => {
    const v1beta1 = { reason: 'VMCreationFailed', severity: 'Warning', message: 'n' } as const;
    expect(mirrored(waiting('NotProvisioned', { v1beta1 }))).toMatchObject([
      { type: 'Ready', ...v1beta1 },
      { type: 'VMProvisioned', ...v1beta1 },
    ]);
  });

  it('writes nothing for other conditions', () => {
    expect(mirrored({ type: 'Paused', status: 'True', reason: 'Paused' })).toEqual([]);
  });
});
