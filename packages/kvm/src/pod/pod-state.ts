import { labels } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { PodCondition } from '@slipway/kube/builtin';
import { type ContainerState, type ContainerStatus, type Pod, wait } from '@slipway/runtime';
import { kvmConditions, kvmReasons, type MachineSize } from '../api/index.js';
import type { MachineAddress, VmCondition, VmReport } from '../machine/vm-service.js';

const { vmProvisioned, vmRunning, disksReady, imageReady } = kvmConditions;

/** Exit codes of the launcher. */
export const launcherExitCodes = { guestShutdown: 0, crashed: 1, guestPanicked: 3, invalidSpec: 4 } as const;
export type LauncherExitCode = (typeof launcherExitCodes)[keyof typeof launcherExitCodes];
const crashLoopRestarts = 5;

/** Converts the status of a pod to the state of its virtual machine. */
export function podReport(pod: Frozen<Pod>, size: MachineSize, container = 'vmm'): VmReport {
  const launcher = pod.status?.containerStatuses?.find(({ name }) => name === container);
  const isUp = launcher?.state?.running !== undefined && pod.status?.podIP !== undefined;
  const problem = placementProblem(pod) ?? imageProblem(pod) ?? launcherProblem(launcher);
  const waiting = problem ?? { reason: kvmReasons.starting, message: 'Waiting for the pod of this machine to start' };
  return {
    state: isUp ? 'running' : 'pending',
    conditions: isUp ? upConditions(launcher) : [no(vmProvisioned, waiting), no(vmRunning, waiting)],
    addresses: addressesOf(pod),
    vm: vmOf(pod, launcher, size),
    outcome: wait({ reason: waiting.reason, message: 'Waiting for the pod to change' }),
  };
}

function upConditions(launcher: Frozen<ContainerStatus>): VmCondition[] {
  const { restartCount } = launcher;
  return [
    yes(imageReady, 'Prepared'),
    yes(disksReady, 'Prepared'),
    yes(vmProvisioned, 'Provisioned'),
    { ...yes(vmRunning, kvmReasons.running), ...(restartCount > 0 && { message: `restarted ${restartCount} times` }) },
  ];
}

function vmOf(pod: Frozen<Pod>, launcher: Frozen<ContainerStatus> | undefined, size: MachineSize): VmReport['vm'] {
  const running = launcher?.state?.running;
  return {
    pod: pod.metadata.name ?? '',
    ...(pod.spec?.nodeName !== undefined && { host: pod.spec.nodeName }),
    cpus: size.cpus,
    memoryMiB: size.memoryMiB,
    ...(typeof running?.startedAt === 'string' && { startTime: running.startedAt }),
    boots: (launcher?.restartCount ?? 0) + (running === undefined ? 0 : 1),
    ...(pod.status?.podIP !== undefined &&
      isControlPlanePod(pod) && { apiServer: { host: pod.status.podIP, port: 6443 } }),
  };
}

function isControlPlanePod({ metadata }: Frozen<Pod>): boolean {
  return metadata.labels?.[labels.controlPlane] !== undefined;
}

/** Reports a machine whose pod and disks are lost. It cannot be recreated, because its bootstrap token has expired. */
export function lostReport(message: string): VmReport {
  const problem = { reason: kvmReasons.podLost, message };
  return {
    state: 'terminated',
    conditions: [no(vmProvisioned, problem), no(vmRunning, problem)],
    addresses: [],
    outcome: wait({
      reason: kvmReasons.podLost,
      message: 'replace the Machine, manually or with a MachineHealthCheck',
    }),
  };
}

interface Problem {
  readonly reason: string;
  readonly message: string;
}

function placementProblem(pod: Frozen<Pod>): Problem | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled?.status !== 'False') return undefined;
  return {
    reason: kvmReasons.podUnschedulable,
    message: `the pod cannot be scheduled: ${scheduled.message ?? scheduled.reason ?? 'unknown'}; add nodes, or reduce the resources of the machine`,
  };
}

function imageProblem(pod: Frozen<Pod>): Problem | undefined {
  const { status } = pod as { status?: { initContainerStatuses?: readonly Frozen<ContainerStatus>[] } };
  const sync = status?.initContainerStatuses?.find(({ name }) => name === 'image-sync');
  if (sync === undefined) return undefined;
  if (sync.state?.running !== undefined)
    return { reason: kvmReasons.imageDownloading, message: 'the image of this machine is being downloaded' };
  const ended = sync.state?.terminated ?? sync.lastState?.terminated;
  return ended === undefined || ended.exitCode === 0 ? undefined : terminationOf(ended.message ?? ended.reason ?? '');
}

/** Splits the termination message of the launcher, which starts with the reason. */
function terminationOf(text: string): Problem {
  const [, reason = kvmReasons.imageDownloadFailed, message = text] = /^([A-Z][A-Za-z]+): (.*)/s.exec(text) ?? [];
  return { reason, message };
}

function launcherProblem(launcher: Frozen<ContainerStatus> | undefined): Problem | undefined {
  if (launcher === undefined || launcher.state?.running !== undefined) return undefined;
  const ended = launcher.state?.terminated ?? launcher.lastState?.terminated;
  return endedProblem(ended) ?? waitingProblem(launcher.state?.waiting, ended?.message, launcher.restartCount);
}

function endedProblem(ended: Frozen<ContainerState>['terminated']): Problem | undefined {
  if (ended?.exitCode === launcherExitCodes.invalidSpec)
    return {
      reason: kvmReasons.invalidSpec,
      message: ended.message ?? 'the launcher rejected the configuration of the machine',
    };
  if (ended?.exitCode === launcherExitCodes.guestPanicked)
    return { reason: kvmReasons.guestPanicked, message: 'the kernel of the guest panicked; see the serial console' };
  return undefined;
}

function waitingProblem(
  waiting: Frozen<ContainerState>['waiting'],
  termination: string | undefined,
  restarts: number,
): Problem | undefined {
  const message = termination ?? waiting?.message;
  if (waiting?.reason === 'CrashLoopBackOff' || restarts > crashLoopRestarts)
    return { reason: kvmReasons.crashLooping, message: message ?? 'QEMU exits repeatedly' };
  if (waiting?.reason === 'ErrImagePull' || waiting?.reason === 'ImagePullBackOff')
    return { reason: kvmReasons.startFailed, message: `failed to pull the launcher image: ${message ?? ''}` };
  return undefined;
}

function addressesOf(pod: Frozen<Pod>): MachineAddress[] {
  const { podIP } = pod.status ?? {};
  const hostname = pod.metadata.name ?? '';
  if (podIP === undefined) return [];
  return [
    { type: 'InternalIP', address: podIP },
    { type: 'Hostname', address: hostname },
    { type: 'InternalDNS', address: hostname },
  ];
}

function conditionOf(pod: Frozen<Pod>, type: string): Frozen<PodCondition> | undefined {
  return pod.status?.conditions?.find((condition) => condition.type === type);
}

function yes(type: string, reason: string): VmCondition {
  return { type, status: 'True', reason };
}

function no(type: string, { reason, message }: Problem): VmCondition {
  return { type, status: 'False', reason, message };
}
