import { getCondition } from '@slipway/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControlPlaneFixture } from './control-plane-fixture.js';

describe('a control plane at rest', () => {
  let fixture: ControlPlaneFixture;

  beforeEach(async () => {
    fixture = await ControlPlaneFixture.start();
    await fixture.createTemplate();
    await fixture.createControlPlane();
    await fixture.until('available', (controlPlane) => getCondition(controlPlane, 'Available')?.status === 'True');
    await fixture.rounds(2);
  });
  afterEach(() => fixture.plane.stop());

  it('hears of a change of its spec, when nothing else happens', async () => {
    await fixture.change(({ spec }) => void (spec.remediation = { maxRetry: 3 }));
    // Far less time than until the next look that comes anyway, in steps that leave room for the work.
    for (let step = 0; step < 100; step += 1) await fixture.plane.clock.advance(50);
    const { metadata, status } = await fixture.controlPlane();
    expect(status?.observedGeneration).toBe(metadata.generation);
  });
});
