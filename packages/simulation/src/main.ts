import { parseArgs } from 'node:util';
import { makePlan } from './run/plan.js';
import { simulate } from './run/simulate.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    clusters: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '45' },
    transcript: { type: 'boolean', default: false },
  },
});

const [first = 1, last = first] = (values.seeds ?? values.seed ?? '1').split('..').map(Number);
let simulatedMs = 0;
for (let seed = first; seed <= last; seed += 1) {
  const before = process.cpuUsage();
  const plan = makePlan({ seed, clusters: Number(values.clusters), minutes: Number(values.minutes) });
  const result = await simulate(plan, { keepTranscript: values.transcript });
  simulatedMs += result.simulatedMs;
  const { user, system } = process.cpuUsage(before);
  const cpu = ((user + system) / 1e6).toFixed(1);
  const outcome = result.violation === undefined ? 'ok' : `FAILED ${result.violation.message}`;
  console.log(
    `seed ${seed} ${plan.shape} ${result.transcript.digest().slice(0, 12)} ${(result.simulatedMs / 3_600_000).toFixed(1)} h ${result.writes} writes ${cpu} s cpu: ${outcome}`,
  );
  if (values.transcript) console.log(result.transcript.lines.join('\n'));
}
console.log(`${(simulatedMs / 3_600_000).toFixed(1)} simulated hours`);
