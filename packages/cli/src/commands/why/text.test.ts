import type { Explanation } from '@slipway/insight';
import { describe, expect, it } from 'vitest';
import { colourStyle, plainStyle } from '../../output/index.js';
import { explanationText } from './text.js';

const machine = { group: 'cluster.x-k8s.io', kind: 'Machine', namespace: 'default', name: 'demo-workers-br6sr-jcz9x' };
const cluster = { ...machine, kind: 'Cluster', name: 'demo' };
const deployment = { ...machine, kind: 'MachineDeployment', name: 'demo-workers' };

const blocked: Explanation = {
  subject: cluster,
  verdict: 'blocked',
  root: {
    cause: 'DrainBlocked',
    object: machine,
    reason: 'DrainingNode',
    urgency: 'act',
    state: 'blocked',
    means: 'Pods cannot be evicted from the Node, so the Machine is not deleted.',
    remedy:
      'Check the Pods and PodDisruptionBudgets that the message names. A node drain timeout or an annotation ends the wait.',
    message:
      'Drain not completed yet (started at 2026-01-01T00:00:00Z):\n* Pod default/web: cannot evict pod as it would violate the pod’s disruption budget. The disruption budget web needs 1 healthy pods and has 1 currently',
    evidence: [
      {
        object: machine,
        fact: 'condition Deleting is True (DrainingNode) since 2026-01-01T00:00:00Z:\n* Pod default/web: cannot evict',
      },
      {
        object: machine,
        fact: 'event FailedDrainNode (12 times) at 2026-01-01T00:04:00Z: error draining Machine’s node',
      },
    ],
    next: [
      'kubectl annotate machine/demo-workers-br6sr-jcz9x -n default machine.cluster.x-k8s.io/exclude-node-draining=',
    ],
    path: [
      { object: cluster, relation: '' },
      { object: deployment, relation: 'waits for its workers' },
      { object: machine, relation: 'waits for the deletion of' },
    ],
  },
  others: [
    {
      cause: 'MachineStartsUp',
      object: { ...machine, kind: 'DevMachine', name: 'demo-workers-br6sr-x7k2p' },
      reason: 'WaitingForStartupTimeout',
      urgency: 'wait',
      state: 'progress',
      means: 'The machine is being created or is booting.',
      remedy: 'Wait until the machine has started.',
      message: 'Waiting for the simulated startup, which finishes at 2026-01-01T00:06:00Z',
      evidence: [],
      next: [],
      path: [],
    },
  ],
};

describe.each([
  ['plain', plainStyle],
  ['coloured', colourStyle],
] as const)('the text of slipway why, %s', (name, style) => {
  it.each([80, 140])('fits %d columns, except for commands that are to be copied', async (width) => {
    const text = explanationText(blocked, { style, width });
    await expect(text).toMatchFileSnapshot(`testdata/why-${width}-${name}.txt`);
  });
});

it('prints one line for a healthy object', () => {
  const text = explanationText({ subject: cluster, verdict: 'well', others: [] }, { style: plainStyle, width: 80 });
  expect(text).toBe('Cluster default/demo is healthy: it is not waiting for anything.\n');
});

it.each([
  ['failing', { attempts: 14 }, 'is failing: DrainBlocked', 'The operation has failed 14 times and will be retried.'],
  ['held', {}, 'is on hold: DrainBlocked', 'Drain not completed yet'],
  ['progress', { expectedMs: 90_000 }, 'is waiting: DrainBlocked', 'The other machines of this cluster took 90s.'],
] as const)('shows the state %s and its details', (state, more, title, line) => {
  const { root } = blocked;
  if (root === undefined) throw new Error('the explanation has no root cause');
  const verdict = state === 'progress' ? 'waiting' : 'blocked';
  const text = explanationText(
    { ...blocked, verdict, root: { ...root, state, ...more } },
    { style: plainStyle, width: 80 },
  );
  expect(text).toContain(title);
  expect(text).toContain(line);
});
