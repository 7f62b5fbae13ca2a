import type { Plan } from '@slipway/insight';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { planMarkdown } from './plan-markdown.js';
import { planText } from './plan-text.js';

const workers = { kind: 'MachineDeployment', name: 'quick-start-workers' };
const controlPlane = { kind: 'KubeadmControlPlane', name: 'quick-start' };
const place = { namespace: 'default', cluster: 'quick-start' };
const step = { ...place, version: 'v1.36.0', reason: 'RollingOut', message: '' };

const plan: Plan = {
  summary: { create: 1, replace: 1, update: 1, delete: 1 },
  clusters: ['default/quick-start'],
  machines: [
    {
      outcome: 'create',
      ...place,
      group: workers,
      version: 'v1.36.0',
      why: 'no MachineSet has the template of the MachineDeployment: Version v1.35.0, v1.36.0 required',
    },
    {
      outcome: 'replace',
      ...place,
      group: controlPlane,
      machine: 'quick-start-vkhwm',
      version: 'v1.35.0',
      newVersion: 'v1.36.0',
      why: 'Version v1.35.0, v1.36.0 required; KubeadmConfig is not up-to-date',
    },
    {
      outcome: 'update',
      ...place,
      group: workers,
      machine: 'quick-start-workers-w465p-bm6l4',
      version: 'v1.35.0',
      why: 'spec.deletion: nothing -> {"nodeDrainTimeoutSeconds":30}',
    },
    {
      outcome: 'delete',
      ...place,
      group: workers,
      machine: 'quick-start-workers-w465p-l2mk8',
      version: '',
      why: 'Newest',
    },
  ],
  steps: [
    {
      verb: 'delete',
      ...step,
      afterSeconds: -1,
      machine: 'quick-start-workers-w465p-l2mk8',
      isNew: false,
      group: workers,
    },
    { verb: 'create', ...step, afterSeconds: 0, machine: 'quick-start-aaaaa', isNew: true, group: controlPlane },
    { verb: 'delete', ...step, afterSeconds: 4, machine: 'quick-start-vkhwm', isNew: false, group: controlPlane },
    {
      verb: 'update',
      ...step,
      afterSeconds: 5,
      machine: 'quick-start-workers-w465p-bm6l4',
      isNew: false,
      group: workers,
    },
  ],
  objects: [{ outcome: 'update', kind: 'KubeadmControlPlane', namespace: 'default', name: 'quick-start' }],
  isSettled: false,
  unsettled: [
    {
      kind: 'Machine',
      namespace: 'default',
      name: 'quick-start-workers-w465p-l2mk8',
      reason: 'DrainingNode',
      message:
        'Drain not completed yet (started at 2026-01-01T00:00:00Z):\n* Pod web-0: cannot evict pod as it would violate the budget',
    },
  ],
  blocked: [],
  simulatedSeconds: 14_400,
  assumedHooks: [{ hook: 'BeforeClusterUpgrade', handler: 'window.change-calendar', subject: 'default/quick-start' }],
  missing: [
    {
      from: { group: 'cluster.x-k8s.io', kind: 'MachineDeployment', namespace: 'default', name: 'quick-start-workers' },
      path: 'spec.template.spec.infrastructureRef',
      to: { group: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachineTemplate', namespace: 'default', name: 'large' },
    },
  ],
};

it.each([80, 140])('planText fits %d columns', async (width) => {
  const text = planText(plan, width);
  for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  await expect(text).toMatchFileSnapshot(`testdata/plan-${width}.txt`);
});

it('planText reports that nothing changes', () => {
  const summary = { create: 0, replace: 0, update: 0, delete: 0 };
  const nothing: Plan = {
    ...plan,
    summary,
    machines: [],
    steps: [],
    objects: [],
    unsettled: [],
    isSettled: true,
    assumedHooks: [],
    missing: [],
  };
  expect(planText(nothing, 80)).toBe('No changes.\n');
});

it('planMarkdown formats a plan for a pull request', async () => {
  await expect(planMarkdown(plan)).toMatchFileSnapshot('testdata/plan.md');
});
