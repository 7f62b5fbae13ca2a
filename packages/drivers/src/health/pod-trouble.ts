import type { Frozen } from '@slipway/kube';
import type { ContainerStatus, CoreEvent, Pod } from '@slipway/runtime';
import type { Reason } from '../api/index.js';

export interface PodTrouble {
  readonly reason: Reason;
  readonly message: string;
  /** Highest restart count of a container. */
  readonly restarts: number;
  readonly pod: string;
}

const textMax = 1_024;
const imageReasons = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull']);

/** Returns the problem of the pod in the worst state, with the messages of its containers and events. */
export function worstPod(pods: readonly Frozen<Pod>[], events: readonly Frozen<CoreEvent>[]): PodTrouble | undefined {
  const troubles = pods.flatMap((pod) => troublesOf(pod, events));
  return troubles.sort((left, right) => rankOf(right) - rankOf(left) || right.restarts - left.restarts)[0];
}

function rankOf({ reason }: PodTrouble): number {
  return ['RollingOut', 'ReplicasUnschedulable', 'CrashLooping', 'ImagePullFailed'].indexOf(reason);
}

function troublesOf(pod: Frozen<Pod>, events: readonly Frozen<CoreEvent>[]): PodTrouble[] {
  const name = pod.metadata.name ?? '';
  const warnings = events
    .filter(({ type, involvedObject }) => type === 'Warning' && involvedObject.name === name)
    .slice(-2)
    .map(({ message }) => message ?? '');
  const trouble = (reason: Reason, facts: readonly (string | undefined)[], restarts = 0): PodTrouble => ({
    reason,
    message: [`pod ${name}`, ...facts.filter((fact) => fact), ...warnings].join(': ').slice(0, textMax),
    restarts,
    pod: name,
  });
  const unscheduled = pod.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  if (unscheduled?.reason === 'Unschedulable') return [trouble('ReplicasUnschedulable', [unscheduled.message])];
  return (pod.status?.containerStatuses ?? []).flatMap((status) => {
    const found = containerTrouble(status);
    return found === undefined ? [] : [trouble(found.reason, found.facts, status.restartCount)];
  });
}

function containerTrouble({
  name,
  state,
  lastState,
}: Frozen<ContainerStatus>): { readonly reason: Reason; readonly facts: readonly (string | undefined)[] } | undefined {
  const { waiting } = state ?? {};
  if (waiting === undefined) return undefined;
  const { terminated } = lastState ?? {};
  const last =
    terminated === undefined ? undefined : `exit code ${terminated.exitCode} ${terminated.message ?? ''}`.trim();
  const facts = [`container ${name}`, waiting.reason, waiting.message, last];
  if (imageReasons.has(waiting.reason ?? '')) return { reason: 'ImagePullFailed', facts };
  if (waiting.reason === 'CrashLoopBackOff') return { reason: 'CrashLooping', facts };
  if (waiting.reason === 'ContainerCreating' || waiting.reason === 'PodInitializing')
    return { reason: 'RollingOut', facts };
  return { reason: 'CrashLooping', facts };
}
