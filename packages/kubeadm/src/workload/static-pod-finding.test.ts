import type { Node, Pod } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import type { PodObservation } from './control-plane-workload.js';
import { staticPodFinding } from './static-pod-finding.js';

type PodStatus = NonNullable<Pod['status']>;

function node(ready = 'True'): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n1' },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  };
}

function pod(status: PodStatus): PodObservation {
  return { pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'kube-scheduler-n1' }, status } };
}

function conditions(...types: readonly string[]): NonNullable<PodStatus['conditions']> {
  return types.map((type) => ({ type, status: 'True' }));
}

const container = { name: 'kube-scheduler', ready: false, restartCount: 0, image: 'i', imageID: '' };
const started = conditions('PodScheduled', 'Initialized');

interface Row {
  readonly name: string;
  readonly node?: Node;
  readonly seen: PodObservation | undefined;
  readonly then: readonly [status: string, reason: string, message: string];
  readonly v1beta1: readonly [status: string, reason?: string, severity?: string, message?: string];
}

const rows: readonly Row[] = [
  {
    name: 'runs and is ready',
    seen: pod({ phase: 'Running', conditions: conditions('Ready') }),
    then: ['True', 'Running', ''],
    v1beta1: ['True'],
  },
  {
    name: 'does not exist',
    seen: { absent: true },
    then: ['False', 'DoesNotExist', 'Pod does not exist'],
    v1beta1: ['False', 'PodMissing', 'Error', 'Pod kube-scheduler-n1 is missing'],
  },
  {
    name: 'could not be read',
    seen: { failure: 'boom' },
    then: ['Unknown', 'InspectionFailed', 'Please check controller logs for errors'],
    v1beta1: ['Unknown', 'PodInspectionFailed', undefined, 'Failed to get Pod status'],
  },
  {
    name: 'was ready on a Node that is unreachable now',
    node: node('Unknown'),
    seen: pod({ phase: 'Running', conditions: conditions('Ready') }),
    then: ['Unknown', 'InspectionFailed', 'Node Ready condition is Unknown, Pod data might be stale'],
    v1beta1: ['Unknown', 'PodInspectionFailed', undefined, 'Node Ready condition is Unknown, Pod data might be stale'],
  },
  {
    name: 'waits for its node',
    seen: pod({ phase: 'Pending' }),
    then: ['False', 'Provisioning', 'Waiting to be scheduled'],
    v1beta1: ['False', 'PodProvisioning', 'Info', 'Waiting to be scheduled'],
  },
  {
    name: 'runs its init containers',
    seen: pod({ phase: 'Pending', conditions: conditions('PodScheduled') }),
    then: ['False', 'Provisioning', 'Running init containers'],
    v1beta1: ['False', 'PodProvisioning', 'Info', 'Running init containers'],
  },
  {
    name: 'is being started',
    seen: pod({ phase: 'Pending', conditions: started }),
    then: ['False', 'Provisioning', ''],
    v1beta1: ['False', 'PodProvisioning', 'Info', ''],
  },
  {
    name: 'waits for the image of a container',
    seen: pod({
      phase: 'Running',
      containerStatuses: [{ ...container, state: { waiting: { reason: 'ErrImagePull' } } }],
    }),
    then: ['False', 'Provisioning', 'ErrImagePull'],
    v1beta1: ['False', 'PodProvisioning', 'Info', 'ErrImagePull'],
  },
  {
    name: 'waits to be restarted after a failure',
    seen: pod({
      phase: 'Running',
      containerStatuses: [
        {
          ...container,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { exitCode: 1, reason: 'Error' } },
        },
      ],
    }),
    then: ['False', 'Failed', 'CrashLoopBackOff'],
    v1beta1: ['False', 'PodFailed', 'Error', 'CrashLoopBackOff'],
  },
  {
    name: 'has containers that ended',
    seen: pod({
      phase: 'Running',
      containerStatuses: [
        { ...container, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
        { ...container, state: { terminated: { exitCode: 1, reason: 'OOMKilled' } } },
      ],
    }),
    then: ['False', 'Failed', 'Completed, OOMKilled'],
    v1beta1: ['False', 'PodFailed', 'Error', 'Completed, OOMKilled'],
  },
  {
    name: 'runs and is not ready',
    seen: pod({ phase: 'Running', containerStatuses: [{ ...container, state: { running: {} } }] }),
    then: ['False', 'Provisioning', 'Waiting for startup or readiness probes'],
    v1beta1: ['False', 'PodProvisioning', 'Info', 'Waiting for startup or readiness probes'],
  },
  {
    name: 'has succeeded',
    seen: pod({ phase: 'Succeeded' }),
    then: ['False', 'Failed', 'All the containers have been terminated'],
    v1beta1: ['False', 'PodFailed', 'Error', 'All the containers have been terminated'],
  },
  {
    name: 'has failed',
    seen: pod({ phase: 'Failed' }),
    then: ['False', 'Failed', 'All the containers have been terminated'],
    v1beta1: ['False', 'PodFailed', 'Error', 'All the containers have been terminated'],
  },
  {
    name: 'is in an unknown state',
    seen: pod({ phase: 'Unknown' }),
    then: ['Unknown', 'InspectionFailed', 'Pod is reporting Unknown status'],
    v1beta1: ['Unknown', 'PodInspectionFailed', undefined, 'Pod is reporting Unknown status'],
  },
];

describe('a static Pod that', () => {
  it.each(rows)('$name', ({ node: host = node(), seen, then, v1beta1 }) => {
    const finding = staticPodFinding('kube-scheduler-n1', host, seen);
    const { status, reason, message } = finding;
    expect([status, reason, message]).toEqual(then);
    const old = finding.v1beta1;
    const found = [old?.status, old?.reason, old?.severity, old?.message];
    expect(found).toEqual([...v1beta1, ...Array.from({ length: 4 - v1beta1.length }, () => undefined)]);
  });
});
