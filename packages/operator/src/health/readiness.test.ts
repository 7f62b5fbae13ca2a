import type { Frozen } from '@slipway/kube';
import type { Deployment, Pod } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { podProblem, readinessOf } from './readiness.js';

function deployment(name: string, status?: string, reason = 'Because'): Frozen<Deployment> {
  const conditions = status === undefined ? [] : [{ type: 'Available', status, reason, message: `${name} ${status}` }];
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, generation: 1 }, status: { conditions } };
}

describe('readiness', () => {
  const rows = [
    {
      name: 'is True if the Deployment is available',
      given: [deployment('a', 'True')],
      then: ['True', 'Because', 'a True'],
    },
    {
      name: 'defaults the reason of an available Deployment',
      given: [deployment('a', 'True', '')],
      then: ['True', 'DeploymentAvailable', 'a True'],
    },
    {
      name: 'is False if the Deployment does not report Available',
      given: [deployment('a')],
      then: ['False', 'NoDeploymentAvailableConditionReason', 'deployment a does not report whether it is available'],
    },
    { name: 'none', given: [], then: ['False', 'NoDeployment', 'no Deployment of the provider exists'] },
    {
      name: 'is False if one of several Deployments is not available, in any order [operators 20]',
      given: [deployment('b', 'True'), deployment('a', 'False', 'Down'), deployment('c', 'True')],
      then: ['False', 'Down', 'deployment a: a False'],
    },
    {
      name: 'ignores conditions of an older generation [operators 20]',
      given: [
        { ...deployment('a', 'True'), status: { ...deployment('a', 'True').status, observedGeneration: 0 } },
      ] as Frozen<Deployment>[],
      then: [
        'Unknown',
        'NoDeploymentAvailableConditionReason',
        'deployment a has changed and has not reported its status yet',
      ],
    },
  ];
  it.each(rows)('$name', ({ given, then }) => {
    const { status, reason, message } = readinessOf(given, { runsDeployments: true });
    expect([status, reason, message]).toEqual(then);
  });

  it('reports that a server without nodes does not run Deployments, unless their status shows otherwise', () => {
    const { status, reason, message } = readinessOf([deployment('a')], { runsDeployments: false });
    expect([status, reason]).toEqual(['False', 'NoDeploymentController']);
    expect(message).toContain('deployment a is stored but not running');
    expect(readinessOf([deployment('a', 'True')], { runsDeployments: false }).status).toBe('True');
  });

  it('reports why a pod is waiting', () => {
    const pod = (reason: string): Frozen<Pod> =>
      ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p' },
        status: {
          containerStatuses: [
            {
              name: 'manager',
              ready: false,
              restartCount: 0,
              image: '',
              imageID: '',
              state: { waiting: { reason, message: 'not found' } },
            },
          ],
        },
      }) as Frozen<Pod>;
    expect(podProblem([pod('ContainerCreating'), pod('ImagePullBackOff')])).toBe(
      'container manager of pod p is waiting: ImagePullBackOff: not found',
    );
    expect(podProblem([pod('ContainerCreating')])).toBeUndefined();
  });
});
