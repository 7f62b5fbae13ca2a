export { CommandError, type CommandOptions, runCommand } from './run-command.js';
