import { runCommand } from './command/command.js';

process.exitCode = await runCommand(process.argv.slice(2), (text) => void process.stdout.write(`${text}\n`));
