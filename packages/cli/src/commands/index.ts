import type { Command } from 'commander';
import { backupCommand } from './backup.js';
import { downCommand } from './down.js';
import { hostBalancerCommand } from './host-balancer.js';
import { imageCommand } from './image.js';
import { managerCommand } from './manager.js';
import type { SetExitCode } from './options.js';
import { restoreCommand } from './restore.js';
import { statusCommand } from './status.js';
import { upCommand } from './up.js';
import { versionCommand } from './version.js';

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
  backupCommand,
  restoreCommand,
  managerCommand,
  imageCommand,
  versionCommand,
];

/** Those that the program itself starts. */
export const hiddenCommands: readonly CreateCommand[] = [hostBalancerCommand];
