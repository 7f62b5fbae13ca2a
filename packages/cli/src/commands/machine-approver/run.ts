import { existsSync, readFileSync } from 'node:fs';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import { type ApproverSettings, ApproverSettingsError, readApproverSettings, runApprover } from '@slipway/openshift';
import type { HttpClient } from '@slipway/runtime';
import { connectServer } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { openLog } from '../../process/open-log.js';
import { stopSignal } from '../../process/stop-signal.js';
import type { MachineApproverFlags } from './command.js';

/** Runs the approver until a signal stops it or leadership is lost. */
export async function machineApprover(flags: MachineApproverFlags): Promise<ExitCode> {
  const settings = readSettings(flags);
  const logger = openLog({ format: 'json', verbose: flags.verbose === true });
  const stopping = new AbortController();
  const stopRequest = stopSignal();
  const scope = new Scope();
  const connect = async (kubeconfig: string | undefined): Promise<HttpClient> => {
    const { client } = await connectServer(
      {
        ...(kubeconfig !== undefined && { kubeconfig }),
        agent: 'cluster-machine-approver',
        onWarning: (warning) => logger.warn({ warning }, 'API server warning'),
      },
      stopping.signal,
    );
    scope.defer(() => client.close());
    return client;
  };
  try {
    const workload = await connect(flags.workloadClusterKubeconfig);
    const isOne = flags.managementClusterKubeconfig === flags.workloadClusterKubeconfig;
    const management = isOne ? workload : await connect(flags.managementClusterKubeconfig);
    const approver = await runApprover({
      settings,
      workload,
      management,
      clock: systemClock,
      random: systemRandom,
      logger,
      ...(flags.leaderElect && { leaderElection: electionOf(flags) }),
    });
    scope.defer(() => approver.stop());
    logger.info({ apis: settings.apis, metrics: settings.metricsAddress }, 'Approver started');
    await Promise.race([stopRequest, approver.done]);
  } finally {
    await scope.dispose();
  }
  return exitCodes.ok;
}

function readSettings(flags: MachineApproverFlags): ApproverSettings {
  const { config } = flags;
  // The file may be missing, because its mount is optional. In that case the defaults apply.
  const text = config !== undefined && existsSync(config) ? readFileSync(config, 'utf8') : undefined;
  try {
    return readApproverSettings(flags, process.env, text);
  } catch (error) {
    if (!(error instanceof ApproverSettingsError)) throw error;
    throw new CliError(error.message, { remedy: error.remedy, exitCode: exitCodes.usage, cause: error });
  }
}

function electionOf(flags: MachineApproverFlags) {
  return {
    namespace: flags.leaderElectResourceNamespace,
    name: flags.leaderElectResourceName,
    times: {
      leaseDurationMs: flags.leaderElectLeaseDuration,
      renewDeadlineMs: flags.leaderElectRenewDeadline,
      retryPeriodMs: flags.leaderElectRetryPeriod,
    },
  };
}
