import type { Timeline } from '@slipway/insight';
import { expect, it } from 'vitest';
import { colourStyle, plainStyle } from '../../output/index.js';
import { secondsText, timelineText } from './text.js';

const cluster = { group: 'cluster.x-k8s.io', kind: 'Cluster', namespace: 'default', name: 'demo' };
const machine = { ...cluster, kind: 'Machine', name: 'demo-fkk7q' };
const worker = { ...cluster, kind: 'Machine', name: 'demo-workers-br6sr-jcz9x' };

const timeline: Timeline = {
  cluster,
  startedAt: '2026-01-01T00:00:00Z',
  tookMs: undefined,
  runs: [],
  phases: [
    { name: 'manifest', startMs: 0, endMs: 0 },
    { name: 'load balancer', startMs: 0, endMs: 4_000 },
    { name: 'first control plane', startMs: 4_000, endMs: 64_000 },
    { name: 'workers', startMs: 4_000, endMs: undefined },
  ],
  entries: [
    { atMs: 0, object: cluster, what: 'manifest applied', phase: 'manifest' },
    { atMs: 4_000, object: cluster, what: 'infrastructure ready', phase: 'load balancer' },
    { atMs: 5_000, object: machine, what: 'Machine created', phase: 'first control plane' },
    { atMs: 64_000, object: cluster, what: 'control plane initialized', phase: 'first control plane' },
    { atMs: 70_000, object: worker, what: 'bootstrap data available', phase: 'workers' },
  ],
  criticalPath: [
    { object: cluster, what: 'manifest applied', phase: 'manifest', atMs: 0, tookMs: 0 },
    { object: cluster, what: 'infrastructure ready', phase: 'load balancer', atMs: 4_000, tookMs: 4_000 },
    { object: cluster, what: 'control plane initialized', phase: 'first control plane', atMs: 64_000, tookMs: 60_000 },
    { object: worker, what: 'bootstrap data available', phase: 'workers', atMs: 70_000, tookMs: 6_000 },
  ],
  changes: [],
  missing: [
    { object: worker, what: 'machine provisioned' },
    { object: cluster, what: 'available' },
  ],
};

it.each([
  [80, 'plain', plainStyle],
  [80, 'coloured', colourStyle],
  [140, 'plain', plainStyle],
  [140, 'coloured', colourStyle],
] as const)('prints the timeline of a cluster in %d columns, %s', async (width, name, style) => {
  await expect(timelineText(timeline, { style, width })).toMatchFileSnapshot(`testdata/timeline-${width}-${name}.txt`);
});

it('shows the changes of the controllers between the milestones, with controller, reason and message', () => {
  const change = { atMs: 4_500, object: machine, controller: 'kubeadmcontrolplane', action: 'apply', failed: false };
  const changes = [{ ...change, reason: 'Initializing', message: 'Created Machine demo-fkk7q: first control plane' }];
  const text = timelineText({ ...timeline, changes }, { style: plainStyle, width: 124 });
  const rows = text.split('\n').filter((line) => /^ +(\d+ m )?\d+ s {2}/.test(line) && line.includes('/'));
  expect(rows.map((line) => line.trim().split(/ {2,}/)[1])).toEqual([
    'manifest applied',
    'infrastructure ready',
    'apply',
    'Machine created',
    'control plane initialized',
    'bootstrap data available',
  ]);
  expect(text).toContain('Initializing: Created Machine demo-fkk7q');
  expect(rows.every((line) => line.length <= 124)).toBe(true);
});

it.each([
  [0, '0 s'],
  [59_400, '59 s'],
  [185_000, '3 m 5 s'],
  [7_260_000, '2 h 1 m'],
])('secondsText formats %d ms as %s', (ms, text) => expect(secondsText(ms)).toBe(text));
