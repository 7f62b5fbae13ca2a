import type { Command } from 'commander';
import type { SetExitCode } from '../options/common-options.js';
import { applyCommand } from './apply/command.js';
import { backupCommand } from './backup/command.js';
import { completionCommand } from './completion/command.js';
import { configCommand } from './config/command.js';
import { consoleCommand } from './console/command.js';
import { createCommand } from './create/command.js';
import { deleteCommand } from './delete/command.js';
import { describeCommand } from './describe/command.js';
import { devCommand } from './dev/command.js';
import { doctorCommand } from './doctor/command.js';
import { downCommand } from './down/command.js';
import { driversCommand } from './drivers/command.js';
import { generateClusterCommand, generateCommand } from './generate/command.js';
import { getCommand } from './get/command.js';
import { hostBalancerCommand } from './host-balancer/command.js';
import { imageCommand } from './image/command.js';
import { initCommand } from './init/command.js';
import { kvmCommand } from './kvm/command.js';
import { machineApproverCommand } from './machine-approver/command.js';
import { managerCommand } from './manager/command.js';
import { moveCommand } from './move/command.js';
import { operatorCommand } from './operator/command.js';
import { planCommand } from './plan/command.js';
import { releaseCommand } from './release/command.js';
import { restoreCommand } from './restore/command.js';
import { rolloutCommand } from './rollout/command.js';
import { statusCommand } from './status/command.js';
import { timelineCommand } from './timeline/command.js';
import { unblockCommand } from './unblock/command.js';
import { upCommand } from './up/command.js';
import { upgradeCommand } from './upgrade/command.js';
import { versionCommand } from './version/command.js';
import { vmmCommand } from './vmm/command.js';
import { whyCommand } from './why/command.js';

export type { SetExitCode } from '../options/common-options.js';

export type CreateCommand = (setExitCode: SetExitCode) => Command;

/**
 * Every command, in the order in which help lists them. `command.ts` in the folder of a command declares its arguments and
 * flags; it loads `run.ts` when the command runs, so that the quick ones stay quick.
 */
export const commands: readonly CreateCommand[] = [
  upCommand,
  downCommand,
  statusCommand,
  createCommand,
  generateCommand,
  () => configCommand(generateClusterCommand('config')),
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
