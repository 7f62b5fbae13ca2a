import type { ConfigMap } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { initLockHolder, initLockName, planInitLock } from './init-lock.js';

const cluster = { metadata: { name: 'blue', namespace: 'fleet', uid: 'u' } };

function lockOf(information: string | undefined): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'blue-lock' },
    ...(information === undefined ? {} : { data: { 'lock-information': information } }),
  };
}

describe('planInitLock', () => {
  it('uses one ConfigMap per cluster as the init lock [14.28]', () => {
    expect(planInitLock({ cluster, machineName: 'm1', lock: undefined, holderExists: false })).toEqual({
      action: 'create',
      lock: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: initLockName('blue'),
          namespace: 'fleet',
          labels: { 'cluster.x-k8s.io/cluster-name': 'blue' },
          ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'blue', uid: 'u' }],
        },
        data: { 'lock-information': '{"machineName":"m1"}' },
      },
    });
  });

  it.each([
    ['its own lock', lockOf('{"machineName":"m1"}'), true, { action: 'acquired' }],
    [
      'the lock of another',
      lockOf('{"machineName":"m2"}'),
      true,
      { action: 'wait', message: 'Waiting for Machine m2 to initialize' },
    ],
    ['the lock of one that vanished', lockOf('{"machineName":"m2"}'), false, { action: 'release', holder: 'm2' }],
  ])('%s [14.28]', (_name, lock, holderExists, expected) => {
    expect(planInitLock({ cluster, machineName: 'm1', lock, holderExists })).toEqual(expected);
  });

  it.each([undefined, '', 'null', '{', '{}', '{"machineName":1}', '{"machineName":""}'])(
    'reports a remedy for a lock with the content %j, which blocks all Machines',
    (information) => {
      const lock = lockOf(information);
      expect(initLockHolder(lock)).toBeUndefined();
      expect(planInitLock({ cluster, machineName: 'm1', lock, holderExists: false })).toMatchObject({
        action: 'wait',
        message: expect.stringContaining('delete it') as string,
      });
    },
  );
});
