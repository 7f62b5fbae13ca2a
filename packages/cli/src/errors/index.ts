export { CliError, messageOf, systemCode } from './cli-error.js';
export type { ExitCode } from './exit-codes.js';
export { exitCodeMeanings, exitCodes } from './exit-codes.js';
export { onFile } from './file-error.js';
export { reportError } from './report-error.js';
