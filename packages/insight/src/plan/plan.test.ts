import type { KubeObject } from '@slipway/kube';
import type { ChangeRecord } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { forbiddenBy, planOf } from './plan.js';
import type { ObjectEvent } from './recording.js';
import type { WhatIf } from './what-if.js';

interface MachineOptions {
  readonly set?: string;
  readonly version?: string;
  readonly deleting?: boolean;
  readonly outdated?: string;
  readonly timeout?: number;
}

function machine(name: string, options: MachineOptions = {}): KubeObject {
  const { set = 'd-1', version = 'v1.35.0', deleting = false, outdated } = options;
  const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: set, uid: set, controller: true };
  const condition = { type: 'UpToDate', status: 'False', reason: 'NotUpToDate', message: outdated };
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name,
      namespace: 'default',
      labels: { 'cluster.x-k8s.io/deployment-name': 'd' },
      ownerReferences: [owner],
      ...(deleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: {
      clusterName: 'c',
      version,
      ...(options.timeout && { deletion: { nodeDrainTimeoutSeconds: options.timeout } }),
    },
    status: { nodeRef: { name }, ...(outdated !== undefined && { conditions: [condition] }) },
  };
}

function changeRecord(
  verb: 'apply' | 'delete',
  kind: string,
  name: string,
  cause: Pick<ChangeRecord, 'reason' | 'message'>,
): ChangeRecord {
  const object = { group: 'cluster.x-k8s.io', kind, namespace: 'default', name };
  return {
    time: 0,
    durationMs: 0,
    controller: 'test',
    object,
    verb,
    ...cause,
    fields: [],
    result: 'ok',
    dryRun: false,
  };
}

function runOf(changes: readonly (readonly [before: KubeObject | undefined, after: KubeObject | undefined])[]): WhatIf {
  const events = changes.map(([before, after], index): ObjectEvent => {
    return { atMs: index * 1_000, resource: 'cluster.x-k8s.io/machines', before, after };
  });
  const records = [
    changeRecord('apply', 'MachineSet', 'd-2', { reason: 'TemplateChanged', message: 'Version v1.36.0 required' }),
    changeRecord('delete', 'Machine', 'b', { reason: 'ScalingDown', message: '' }),
  ];
  return {
    events,
    changes: records,
    settled: { outcome: 'settled', simulatedMs: 900_000 },
    assumedHooks: [],
    objects: [],
  };
}

describe('planOf', () => {
  it('pairs the deleted machine with its replacement', () => {
    const outdated = '* Version v1.35.0, v1.36.0 required';
    const { machines, summary, steps } = planOf(
      runOf([
        [undefined, machine('n', { set: 'd-2', version: 'v1.36.0' })],
        [machine('a'), machine('a', { deleting: true, outdated })],
        [machine('a', { deleting: true }), undefined],
        [undefined, machine('o', { set: 'd-2', version: 'v1.36.0' })],
      ]),
    );
    expect(summary).toEqual({ create: 1, replace: 1, update: 0, delete: 0 });
    expect(machines).toMatchObject([
      { outcome: 'replace', machine: 'a', newVersion: 'v1.36.0', why: 'Version v1.35.0, v1.36.0 required' },
      { outcome: 'create', version: 'v1.36.0', why: 'Version v1.36.0 required' },
    ]);
    expect(steps.map(({ verb, machine: name, afterSeconds }) => `${afterSeconds} ${verb} ${name}`)).toEqual([
      '0 create n',
      '1 delete a',
      '3 create o',
    ]);
  });

  it('reports an in-place change once, even if it is written several times', () => {
    const { machines } = planOf(
      runOf([
        [machine('a'), machine('a', { timeout: 30 })],
        [machine('a', { timeout: 30 }), machine('a', { timeout: 60 })],
      ]),
    );
    expect(machines).toHaveLength(1);
    expect(machines[0]).toMatchObject({ outcome: 'update', machine: 'a' });
  });

  it('omits machines that are created and deleted within the plan', () => {
    const fresh = machine('n', { set: 'd-2' });
    const { summary } = planOf(
      runOf([
        [undefined, fresh],
        [fresh, machine('n', { set: 'd-2', deleting: true })],
      ]),
    );
    expect(summary).toEqual({ create: 0, replace: 0, update: 0, delete: 0 });
  });

  it('forbiddenBy returns the forbidden outcomes', () => {
    const plan = planOf(runOf([[machine('b'), machine('b', { deleting: true })]]));
    expect(plan.machines).toMatchObject([{ outcome: 'delete', machine: 'b', why: 'ScalingDown' }]);
    expect(forbiddenBy(plan, new Set(['replace']))).toEqual([]);
    expect(forbiddenBy(plan, new Set(['delete']))).toHaveLength(1);
  });
});
