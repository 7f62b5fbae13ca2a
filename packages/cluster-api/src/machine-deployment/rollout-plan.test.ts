import { describe, expect, it } from 'vitest';
import { machineDeploymentFixture } from '../testing/rollout-objects.js';
import { rolloutLimits } from './index.js';

describe('rolloutLimits', () => {
  const rows = [
    { replicas: 3, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }, then: [1, 0, 3] },
    { replicas: 10, rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, then: [3, 2, 8] },
    { replicas: 3, rollingUpdate: { maxSurge: '0%', maxUnavailable: '10%' }, then: [0, 1, 2] },
    { replicas: 0, rollingUpdate: { maxSurge: 1, maxUnavailable: 1 }, then: [1, 0, 0] },
    { replicas: 2, rollingUpdate: { maxSurge: 0, maxUnavailable: 5 }, then: [0, 2, 0] },
    { replicas: 3, rollingUpdate: {}, then: [1, 0, 3] },
  ];
  it.each(rows)('$replicas replicas, $rollingUpdate -> $then', ({ replicas, rollingUpdate, then }) => {
    const limits = rolloutLimits(machineDeploymentFixture({ replicas, rollingUpdate }));
    expect([limits.maxSurge, limits.maxUnavailable, limits.minAvailable]).toEqual(then);
  });

  it('has no surge and no unavailability with OnDelete', () => {
    const limits = rolloutLimits(machineDeploymentFixture({ replicas: 3, type: 'OnDelete' }));
    expect(limits).toEqual({ replicas: 3, maxSurge: 0, maxUnavailable: 0, minAvailable: 3 });
  });
});
