import { getCondition } from '@slipway/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControlPlaneFixture } from './control-plane-fixture.js';

describe('an idle control plane', () => {
  let fixture: ControlPlaneFixture;

  beforeEach(async () => {
    fixture = await ControlPlaneFixture.start();
    await fixture.createTemplate();
    await fixture.createControlPlane();
    await fixture.until('available', (controlPlane) => getCondition(controlPlane, 'Available')?.status === 'True');
    await fixture.rounds(2);
  });
  afterEach(() => fixture.plane.stop());

  it('reconciles a change of its spec without any other event', async () => {
    await fixture.change(({ spec }) => void (spec.remediation = { maxRetry: 3 }));
    // Advance far less than the resync interval, in steps that let reconciles run.
    for (let step = 0; step < 100; step += 1) await fixture.plane.clock.advance(50);
    const { metadata, status } = await fixture.controlPlane();
    expect(status?.observedGeneration).toBe(metadata.generation);
  });
});
