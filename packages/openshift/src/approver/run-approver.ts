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
  /** Cluster of the certificate signing requests. */
  readonly workload: Client;
  /** Cluster of the Machines. */
  readonly management: Reader;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Leader election in the workload cluster. */
  readonly leaderElection?: NonNullable<ManagerOptions['leaderElection']>;
}

export interface RunningApprover {
  /** Rejects when leadership is lost. */
  readonly done: Promise<void>;
  readonly metricsPort: number | undefined;
  stop(): Promise<void>;
}

/** Runs the approver as a separate process, for one cluster or for a management and a workload cluster. */
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
