import { runSoak } from './soak.js';

process.exitCode = await runSoak(process.argv.slice(2), (text) => void process.stdout.write(`${text}\n`));
