import { formatTime } from '@slipway/kube';
import { edit } from '@slipway/runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterOperator } from '../api/index.js';
import { findPlatform } from '../platforms/index.js';
import type { Scope } from '../scope/scope.js';
import { aggregate, degradedAfterMs, setOpenShiftCondition } from './aggregate.js';
import { conditionsOf, controllerNames, type Result, resultOf } from './result.js';
import { PlatformError } from '../platforms/index.js';

const nowMs = Date.UTC(2026, 0, 1);
const bare: ClusterOperator = {
  apiVersion: 'config.openshift.io/v1',
  kind: 'ClusterOperator',
  metadata: { name: 'cluster-api' },
};
const on = { type: 'on', version: '4.20.0', platform: findPlatform('AWS') } as unknown as Scope;

const results: Readonly<Record<Result['type'], Result>> = {
  success: { type: 'success' },
  progressing: { type: 'progressing', message: 'going on' },
  waiting: { type: 'waiting', message: 'somebody' },
  error: { type: 'error', error: new Error('broken') },
  invalid: { type: 'invalid', error: new Error('wrong') },
};

function reported(operator: ClusterOperator, given: readonly Result[], atMs = nowMs): ClusterOperator {
  return edit(operator, (draft) => {
    controllerNames.forEach((name, index) => {
      const result = given[index];
      if (result !== undefined) for (const one of conditionsOf(name, result)) setOpenShiftCondition(draft, one, atMs);
    });
  }) as ClusterOperator;
}

function summary(operator: ClusterOperator, scope: Scope, atMs = nowMs): Record<string, string> {
  const { status } = aggregate(operator, scope, atMs);
  return Object.fromEntries(
    (status?.conditions ?? [])
      .filter(({ type }) => ['Available', 'Progressing', 'Degraded', 'Upgradeable'].includes(type))
      .map(({ type, status: value, reason }) => [type, `${value} ${reason}`]),
  );
}

const all = (result: Result): Result[] => controllerNames.map(() => result);

describe('the ClusterOperator', () => {
  it('is available while the feature gate is disabled [operators 22]', () => {
    const scope: Scope = { type: 'off', version: '4.20.0' };
    expect(summary(bare, scope)).toEqual({
      Available: 'True AsExpected',
      Progressing: 'False AsExpected',
      Degraded: 'False AsExpected',
      Upgradeable: 'True AsExpected',
    });
    expect(aggregate(bare, scope, nowMs).status?.versions).toEqual([{ name: 'operator', version: '4.20.0' }]);
  });

  it('is available and reports an unsupported platform [operators 23]', () => {
    const { status } = aggregate(bare, { type: 'unsupported', version: '4.20.0' }, nowMs);
    expect(status?.conditions?.[0]).toMatchObject({
      type: 'Available',
      status: 'True',
      message: 'Cluster API is not yet implemented on this platform',
    });
  });

  it('aggregates each of the five results', () => {
    expect(summary(reported(bare, all(results.success)), on)).toMatchObject({
      Available: 'True AsExpected',
      Progressing: 'False AsExpected',
    });
    expect(summary(reported(bare, all(results.waiting)), on)).toEqual({
      Progressing: 'True WaitingOnExternal',
      Degraded: 'False AsExpected',
      Upgradeable: 'True AsExpected',
    });
    expect(summary(reported(bare, all(results.error)), on)).toMatchObject({
      Progressing: 'True EphemeralError',
      Degraded: 'False AsExpected',
    });
    expect(summary(reported(bare, all(results.invalid)), on)).toMatchObject({
      Available: 'False NonRetryableError',
      Degraded: 'True NonRetryableError',
      Upgradeable: 'False NonRetryableError',
    });
    expect(summary(bare, on)).toMatchObject({ Progressing: 'True Uninitialized' });
  });

  it('does not flap while progressing, and does not set Available before the first success [operators 24]', () => {
    const result = fc.constantFrom(results.success, results.progressing, results.waiting, results.error);
    const round = fc.array(result, { minLength: controllerNames.length, maxLength: controllerNames.length });
    fc.assert(
      fc.property(fc.array(round, { maxLength: 6 }), (rounds) => {
        let operator = bare;
        const succeeded = new Set<number>();
        for (const given of rounds) {
          given.forEach(({ type }, index) => void (type === 'success' && succeeded.add(index)));
          operator = aggregate(reported(operator, given), on, nowMs) as ClusterOperator;
          const available = operator.status?.conditions?.find(({ type }) => type === 'Available')?.status;
          expect(available).toBe(succeeded.size === controllerNames.length ? 'True' : undefined);
        }
      }),
    );
  });

  it('sets Degraded after errors that last five minutes', () => {
    const failing = reported(bare, all(results.error));
    expect(summary(failing, on, nowMs + degradedAfterMs - 1_000)).toMatchObject({ Degraded: 'False AsExpected' });
    expect(summary(failing, on, nowMs + degradedAfterMs)).toMatchObject({
      Degraded: 'True EphemeralError',
      Upgradeable: 'False EphemeralError',
    });
  });

  it('changes nothing if the conditions are up to date', () => {
    const aggregated = aggregate(reported(bare, all(results.success)), on, nowMs) as ClusterOperator;
    const again = aggregate(reported(aggregated, all(results.success), nowMs + 60_000), on, nowMs + 60_000);
    expect(again).toEqual(aggregated);
    expect(
      aggregated.status?.conditions?.every(({ lastTransitionTime }) => lastTransitionTime === formatTime(nowMs)),
    ).toBe(true);
  });

  it('lists related objects in a stable order [operators 25]', () => {
    const related = aggregate(bare, on, nowMs).status?.relatedObjects ?? [];
    const keys = related.map(({ namespace = '', group, resource, name }) =>
      [namespace, group, resource, name].join('\u0000'),
    );
    expect(keys).toEqual([...keys].sort());
    expect(related).toContainEqual({
      group: 'infrastructure.cluster.x-k8s.io',
      resource: 'awsclusters',
      namespace: 'openshift-cluster-api',
      name: '',
    });
  });

  it('distinguishes waiting from errors', () => {
    expect(resultOf(new PlatformError('WaitingOnExternal', 'x')).type).toBe('waiting');
    expect(resultOf(new PlatformError('InvalidConfiguration', 'x')).type).toBe('invalid');
    expect(resultOf(new Error('x')).type).toBe('error');
  });
});
