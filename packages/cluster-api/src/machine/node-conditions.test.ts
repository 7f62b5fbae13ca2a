import { describe, expect, it } from 'vitest';
import { edit, type Node } from '@slipway/runtime';
import { machineFixture } from '../testing/machine-objects.js';
import { nodeConditions, type NodeConditionsInput, nodeConditionsDueMs } from './node-conditions.js';
import { nodeSummary, nodeSummaryV1beta1 } from './node-conditions.js';

const nowMs = Date.parse('2026-01-01T01:00:00Z');
const machine = machineFixture('m', { node: null });
const known = machineFixture('m', { conditions: { NodeReady: 'True', NodeHealthy: 'True' } });
const input = (given: Partial<NodeConditionsInput> = {}): NodeConditionsInput => ({
  machine,
  infrastructureProvisioned: true,
  controlPlaneInitializedAt: '2026-01-01T00:00:00Z',
  node: { type: 'missing' },
  health: { connected: true, consecutiveFailures: 0, lastProbeSuccessAt: nowMs },
  remoteConditionsGraceMs: 300_000,
  nowMs,
  ...given,
});
const lost = { connected: false, consecutiveFailures: 7, lastProbeSuccessAt: nowMs - 200_000 };

describe('the Node conditions of a machine', () => {
  const rows: { name: string; given: Partial<NodeConditionsInput>; then: string | undefined }[] = [
    {
      name: 'reports missing infrastructure',
      given: { infrastructureProvisioned: false },
      then: 'Unknown InspectionFailed: Waiting for Cluster status.initialization.infrastructureProvisioned to be true',
    },
    {
      name: 'reports a control plane that is not initialized',
      given: { controlPlaneInitializedAt: undefined },
      then: 'Unknown InspectionFailed: Waiting for Cluster control plane to be initialized',
    },
    {
      name: 'reports that no connection was attempted',
      given: { health: { connected: false, consecutiveFailures: 2 } },
      then: 'Unknown ConnectionDown: Remote connection not established yet',
    },
    {
      name: 'reports that no connection was attempted since the process started',
      given: { machine: known, health: { connected: false, consecutiveFailures: 2 } },
      then: undefined,
    },
    {
      name: 'keeps remote conditions for 5 minutes after losing the connection [14.41]',
      given: { machine: known, node: { type: 'disconnected' }, health: lost },
      then: undefined,
    },
    {
      name: 'reports a connection that was lost before the first conditions',
      given: { node: { type: 'disconnected' }, health: lost },
      then: 'Unknown ConnectionDown: Last successful probe at 2026-01-01T00:56:40Z',
    },
    {
      name: 'sets them to Unknown afterwards [14.41]',
      given: {
        machine: known,
        node: { type: 'disconnected' },
        health: { ...lost, lastProbeSuccessAt: nowMs - 300_001 },
      },
      then: 'Unknown ConnectionDown: Last successful probe at 2026-01-01T00:54:59Z',
    },
    {
      name: 'counts the five minutes from the initialization of the control plane, if that was later',
      given: {
        machine: known,
        node: { type: 'disconnected' },
        health: { ...lost, lastProbeSuccessAt: nowMs - 400_000 },
        controlPlaneInitializedAt: '2026-01-01T00:59:00Z',
      },
      then: undefined,
    },
    {
      name: 'reports a read failure',
      given: { node: { type: 'failed' } },
      then: 'Unknown InternalError: Please check controller logs for errors',
    },
    {
      name: 'reports infrastructure without providerID',
      given: {},
      then: 'Unknown InspectionFailed: Waiting for DevMachine to report spec.providerID',
    },
    {
      name: 'waits for a Node that does not exist yet',
      given: { machine: edit(machine, ({ spec }) => void (spec.providerID = 'x://y')) },
      then: 'Unknown InspectionFailed: Waiting for a Node with spec.providerID x://y to exist',
    },
    {
      name: 'reports a deleted Node',
      given: { machine: known },
      then: 'False NodeDeleted: Node m has been deleted while the Machine still exists',
    },
    {
      name: 'reports a Node that was deleted with its machine',
      given: { machine: machineFixture('m', { deleted: '2026-01-01T00:00:00Z' }) },
      then: 'False NodeDeleted: Node m has been deleted',
    },
    {
      name: 'reports a machine that never had a Node',
      given: { machine: machineFixture('m', { deleted: '2026-01-01T00:00:00Z', node: null }) },
      then: 'Unknown NodeDoesNotExist: Node does not exist',
    },
  ];
  it.each(rows)('$name', ({ given, then }) => {
    const conditions = nodeConditions(input(given));
    expect(conditions.map(({ type }) => type)).toEqual(then === undefined ? [] : ['NodeReady', 'NodeHealthy']);
    for (const { status, reason, message } of conditions) expect(`${status} ${reason}: ${message}`).toBe(then);
  });

  it('are re-evaluated when the grace period is over', () => {
    expect(nodeConditionsDueMs(input({ machine: known, health: lost }))).toBe(100_001);
    expect(nodeConditionsDueMs(input())).toBeUndefined();
    const reported = machineFixture('m', { conditions: { NodeHealthy: ['Unknown', 'ConnectionDown'] } });
    expect(nodeConditionsDueMs(input({ machine: reported, health: lost }))).toBeUndefined();
  });
});

type Given = Record<string, [status: string, message?: string]>;
const well: Given = { Ready: ['True'], MemoryPressure: ['False'], DiskPressure: ['False'], PIDPressure: ['False'] };
const node = (conditions: Given): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n' },
  status: {
    conditions: Object.entries(conditions).map(([type, [status, message = '']]) => ({
      type,
      status,
      message,
      lastTransitionTime: '2026-01-01T00:30:00Z',
    })),
  },
});

describe('nodeSummary', () => {
  const silent = 'Kubelet stopped posting node status.';
  const rows: { name: string; given: Given; ready: string; healthy: string; old: string }[] = [
    { name: 'well', given: well, ready: 'True NodeReady: ', healthy: 'True NodeHealthy: ', old: 'True: ' },
    {
      name: 'not ready',
      given: { ...well, Ready: ['False', 'no network'] },
      ready: 'False NodeNotReady: * Node.Ready: no network',
      healthy: 'False NodeNotHealthy: * Node.Ready: no network',
      old: 'False: Node condition Ready is False',
    },
    {
      name: 'under pressure',
      given: { ...well, DiskPressure: ['True', 'full'], PIDPressure: ['True'] },
      ready: 'True NodeReady: ',
      healthy: 'False NodeNotHealthy: * Node.DiskPressure: full\n* Node.PIDPressure: Condition is True',
      old: 'False: Node condition DiskPressure is True. Node condition PIDPressure is True',
    },
    {
      name: 'silent',
      given: Object.fromEntries(Object.keys(well).map((type) => [type, ['Unknown', silent]])),
      ready: `Unknown NodeReadyUnknown: * Node.Ready: ${silent}`,
      healthy: `Unknown NodeHealthyUnknown: * Node.AllConditions: ${silent}`,
      old: 'Unknown: Node condition Ready is Unknown. Node condition MemoryPressure is Unknown. Node condition DiskPressure is Unknown. Node condition PIDPressure is Unknown',
    },
    {
      name: 'reports missing Node conditions',
      given: {},
      ready: 'Unknown NodeReadyUnknown: * Node.Ready: Condition not yet reported',
      healthy:
        'Unknown NodeHealthyUnknown: * Node.Ready: Condition not yet reported\n* Node.MemoryPressure: Condition not yet reported\n* Node.DiskPressure: Condition not yet reported\n* Node.PIDPressure: Condition not yet reported',
      old: 'True: ',
    },
  ];
  it.each(rows)('$name', ({ given, ready, healthy, old }) => {
    const [nodeReady, nodeHealthy] = nodeConditions(input({ node: { type: 'found', node: node(given) } }));
    expect(`${nodeReady?.status} ${nodeReady?.reason}: ${nodeReady?.message}`).toBe(ready);
    expect(`${nodeHealthy?.status} ${nodeHealthy?.reason}: ${nodeHealthy?.message}`).toBe(healthy);
    const summary = nodeSummary(node(given));
    expect(`${summary.status} ${summary.reason}: ${summary.message}`).toBe(healthy);
    const { status, message } = nodeSummaryV1beta1(node(given));
    expect(`${status}: ${message}`).toBe(old);
  });

  it('keeps the transition time of the kubelet', () => {
    const [ready] = nodeConditions(input({ node: { type: 'found', node: node(well) } }));
    expect(ready?.lastTransitionTime).toBe('2026-01-01T00:30:00Z');
  });
});
