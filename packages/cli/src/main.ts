import { runCommandLine } from './program.js';

process.exitCode = await runCommandLine(process.argv.slice(2));
