import type { Command } from 'commander';
import { applyCommand } from './apply.js';
import { backupCommand } from './backup.js';
import { completionCommand } from './completion.js';
import { configCommand } from './config.js';
import { consoleCommand } from './console.js';
import { createCommand } from './create.js';
import { deleteCommand } from './delete.js';
import { devCommand } from './dev.js';
import { describeCommand } from './describe.js';
import { doctorCommand } from './doctor.js';
import { downCommand } from './down.js';
import { driversCommand } from './drivers.js';
import { generateCommand } from './generate.js';
import { initCommand } from './init.js';
import { hostBalancerCommand } from './host-balancer.js';
import { imageCommand } from './image.js';
import { kvmCommand } from './kvm.js';
import { getCommand } from './get.js';
import { machineApproverCommand } from './machine-approver.js';
import { managerCommand } from './manager.js';
import { moveCommand } from './move.js';
import { operatorCommand } from './operator.js';
import type { SetExitCode } from './options.js';
import { releaseCommand } from './release.js';
import { planCommand } from './plan.js';
import { restoreCommand } from './restore.js';
import { rolloutCommand } from './rollout.js';
import { statusCommand } from './status.js';
import { timelineCommand } from './timeline.js';
import { unblockCommand } from './unblock.js';
import { upCommand } from './up.js';
import { upgradeCommand } from './upgrade.js';
import { versionCommand } from './version.js';
import { vmmCommand } from './vmm.js';
import { whyCommand } from './why.js';

export type { SetExitCode } from './options.js';

export type CreateCommand = (setExitCode: SetExitCode) => Command;

/**
 * Every command, in the order in which help lists them. A file here declares what a command takes; what it does is loaded
 * when it runs, so that the quick ones stay quick.
 */
export const commands: readonly CreateCommand[] = [
  upCommand,
  downCommand,
  statusCommand,
  createCommand,
  generateCommand,
  configCommand,
  initCommand,
  upgradeCommand,
  deleteCommand,
  releaseCommand,
  getCommand,
  describeCommand,
  whyCommand,
  timelineCommand,
  consoleCommand,
  doctorCommand,
  unblockCommand,
  rolloutCommand,
  planCommand,
  applyCommand,
  moveCommand,
  backupCommand,
  restoreCommand,
  managerCommand,
  operatorCommand,
  machineApproverCommand,
  driversCommand,
  devCommand,
  completionCommand,
  imageCommand,
  kvmCommand,
  versionCommand,
];

/** Those that the program itself starts. */
export const hiddenCommands: readonly CreateCommand[] = [hostBalancerCommand, vmmCommand];
