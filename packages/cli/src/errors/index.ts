export { CliError, messageOf, systemCode } from './cli-error.js';
export type { ExitCode } from './cli-error.js';
export { exitCodeMeanings, exitCodes } from './cli-error.js';
export { onFile } from './file-error.js';
export { reportError } from './cli-error.js';
