import type { Command } from 'commander';
import type { SetExitCode } from '../options/common-options.js';
import { applyCommand } from './apply/command.js';
import { backupCommand } from './backup/command.js';
import { certsCommand } from './certs/command.js';
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
import { loadCommand } from './load/command.js';
import { logsCommand } from './logs/command.js';
import { machineApproverCommand } from './machine-approver/command.js';
import { managerCommand } from './manager/command.js';
import { moveCommand } from './move/command.js';
import { operatorCommand } from './operator/command.js';
import { planCommand } from './plan/command.js';
import { providerCommand } from './provider/command.js';
import { releaseCommand } from './release/command.js';
import { restoreCommand } from './restore/command.js';
import { rolloutCommand } from './rollout/command.js';
import { scaleCommand } from './scale/command.js';
import { statusCommand } from './status/command.js';
import { storageCommand } from './storage/command.js';
import { timelineCommand } from './timeline/command.js';
import { unblockCommand } from './unblock/command.js';
import { upCommand } from './up/command.js';
import { upgradeCommand } from './upgrade/command.js';
import { versionCommand } from './version/command.js';
import { vmmCommand } from './vmm/command.js';
import { whyCommand } from './why/command.js';

export type { SetExitCode } from '../options/common-options.js';

/** Heading of the last group of commands, which also has `help`. */
export const otherCommands = 'Other:';

export type CreateCommand = (setExitCode: SetExitCode) => Command;

interface CommandGroup {
  readonly heading: string;
  readonly commands: readonly CreateCommand[];
}

/**
 * All commands, in the order of the help. `command.ts` in the directory of a command declares its arguments and flags; it
 * loads `run.ts` when the command runs, so that short commands start fast.
 */
const commandGroups: readonly CommandGroup[] = [
  {
    heading: 'Clusters:',
    commands: [
      createCommand,
      getCommand,
      describeCommand,
      planCommand,
      applyCommand,
      scaleCommand,
      rolloutCommand,
      deleteCommand,
      generateCommand,
      loadCommand,
      moveCommand,
    ],
  },
  {
    heading: 'Providers:',
    commands: [
      initCommand,
      upgradeCommand,
      () => configCommand(generateClusterCommand('config')),
      operatorCommand,
      driversCommand,
      kvmCommand,
      machineApproverCommand,
    ],
  },
  { heading: 'Diagnosis:', commands: [whyCommand, timelineCommand, doctorCommand, unblockCommand, consoleCommand] },
  {
    heading: 'Management plane:',
    commands: [
      upCommand,
      downCommand,
      statusCommand,
      logsCommand,
      backupCommand,
      restoreCommand,
      storageCommand,
      certsCommand,
      managerCommand,
    ],
  },
  { heading: 'Development:', commands: [devCommand, providerCommand, imageCommand, releaseCommand] },
  { heading: otherCommands, commands: [completionCommand, versionCommand] },
];

export const commands: readonly CreateCommand[] = commandGroups.flatMap((group) =>
  group.commands.map((create) => (setExitCode: SetExitCode) => create(setExitCode).helpGroup(group.heading)),
);

/** Commands that only the program itself starts. */
export const hiddenCommands: readonly CreateCommand[] = [hostBalancerCommand, vmmCommand];
