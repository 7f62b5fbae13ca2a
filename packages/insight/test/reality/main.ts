// Compares plans with what happens when they are applied: npm run plan:reality -- --seeds 1-500
import { parseArgs } from 'node:util';
import { type ComparedSeed, compareSeed } from './reality.js';

const { values: flags } = parseArgs({ options: { seeds: { type: 'string', default: '1-20' } } });
const [first = 1, last = first] = flags.seeds.split(/-|\.\./).map(Number);
const found = { seeds: 0, changes: 0, steps: 0, differences: 0 };
for (let seed = first; seed <= last; seed += 1) {
  const startedAt = process.cpuUsage();
  const { changes } = await compareSeed(seed);
  const { user, system } = process.cpuUsage(startedAt);
  report({ seed, changes }, (user + system) / 1_000_000);
}
const { seeds, changes, steps, differences } = found;
process.stdout.write(
  `${seeds} seeds, ${changes} changes, ${steps} steps of machines: ${differences} differences between plan and reality\n`,
);
process.exitCode = differences === 0 ? 0 : 1;

function report({ seed, changes: compared }: ComparedSeed, cpuSeconds: number): void {
  const names = compared.map(({ name, steps: count, isRejected }) => `${name} (${isRejected ? 'rejected' : count})`);
  process.stdout.write(`seed ${seed}: ${names.join('; ')} [${cpuSeconds.toFixed(1)} CPU-s]\n`);
  found.seeds += 1;
  for (const { name, steps: count, differences: own } of compared) {
    found.changes += 1;
    found.steps += count;
    found.differences += own.length;
    for (const difference of own) process.stdout.write(`  ${name}: ${difference}\n`);
  }
}
