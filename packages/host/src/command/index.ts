export { CommandError, runCommand } from './run-command.js';
