export { endProcess, identify, isAlive, type ProcessIdentity, readIfPresent } from './process-identity.js';
export { CommandError, runCommand } from './run-command.js';
