import { type Clock, type Logger, type Random, Scope } from '@slipway/base';
import {
  type Client,
  composeControllers,
  createManager,
  type ManagerOptions,
  type Reader,
  selectControllers,
} from '@slipway/runtime';
import { clusterOperators } from '../api/index.js';
import type { ApproverSettings } from './approver-settings.js';
import { createApprover } from './controller.js';
import { createApproverStatus } from './status-controller.js';

export interface RunApproverOptions {
  readonly settings: ApproverSettings;
  /** Whose requests are looked at. */
  readonly workload: Client;
  /** Where the Machines are. */
  readonly management: Reader;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** In the workload cluster. */
  readonly leaderElection?: NonNullable<ManagerOptions['leaderElection']>;
}

export interface RunningApprover {
  /** Rejects when it may not lead any more. */
  readonly done: Promise<void>;
  readonly metricsPort: number | undefined;
  stop(): Promise<void>;
}

/** The approver as a process of its own, between one cluster and another or in one. */
export async function runApprover(options: RunApproverOptions): Promise<RunningApprover> {
  const { settings, workload, management, clock, random, logger, leaderElection } = options;
  const { apis, machineNamespace, clientFlowDisabled, concurrency, metricsAddress, version } = settings;
  const approver = createApprover({
    apis,
    machineReader: management,
    machineNamespace,
    clientFlowDisabled,
    concurrency,
  });
  const { group, version: apiVersion } = clusterOperators;
  const served = await workload.resourceFor({ group, kind: 'ClusterOperator', version: apiVersion });
  const sets = settings.reportsStatus && served !== undefined ? [approver, createApproverStatus(version)] : [approver];
  const scope = new Scope();
  const environment = { client: workload, clock, random, logger };
  const composition = composeControllers({ ...environment, chosen: selectControllers(sets) });
  scope.add(composition);
  const { controllers, sources } = composition;
  const manager = createManager({
    ...environment,
    name: 'cluster-machine-approver',
    controllers,
    sources,
    metricsAddress,
    ...(leaderElection && { leaderElection: { ...leaderElection, releaseOnStop: true } }),
  });
  composition.measure(manager.registry);
  scope.defer(() => manager.stop());
  await manager.start();
  return { done: manager.done, metricsPort: manager.ports.metrics, stop: () => Promise.resolve(scope.dispose()) };
}
