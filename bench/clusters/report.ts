import { median } from '../api/load/statistics.js';
import { machineLine } from '../machine-line.js';
import type { WriteCount } from './write-count.js';

export interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly megabytes: number;
}

export interface Growth extends Cost {
  readonly count: number;
  readonly megabytesEach: number;
  /** CPU usage while idle, as a fraction of one core. */
  readonly idleShare: number;
}

export interface Results {
  readonly count: number;
  readonly ours: readonly Cost[];
  readonly theirs: readonly Cost[];
  readonly firstMs: number;
  readonly writes: WriteCount;
  readonly growth: readonly Growth[];
}

export function reportText({ count, ours, theirs, firstMs, writes, growth }: Results): string {
  return `# Cluster benchmarks

\`npm run bench:clusters\` launches ${count} in-memory clusters of one control plane and two worker machines, with all startup
durations 0, on \`slipway up\` and on upstream's Cluster API 1.14 (core, kubeadm bootstrap, kubeadm control plane and in-memory
infrastructure, with kube-apiserver, kube-controller-manager and etcd), in alternating rounds, and reports the median of
the rounds. A cluster is complete when it is Available and no longer scaling. CPU is user and system time of all
processes; memory is their resident set at the end.

\`\`\`
npm ci && npm run peers
npm run bench:clusters                          # everything
npm run bench:clusters -- --alone --growth ""   # slipway only, without the growth
npm run bench:clusters -- --write               # writes this page
\`\`\`

${machineLine()}

| ${count} clusters | slipway | upstream | ratio | target | |
| --- | ---: | ---: | ---: | --- | --- |
${compared('wall time, s', ours, theirs, (cost) => cost.wallMs / 1_000, 10)}
${compared('CPU, s', ours, theirs, (cost) => cost.cpuMs / 1_000, 10)}
${compared('resident memory, MB', ours, theirs, (cost) => cost.megabytes, 6)}

| slipway only | value | target | |
| --- | ---: | --- | --- |
| \`slipway up\` to the first cluster Available | ${(firstMs / 1_000).toFixed(1)} s | at most 3 s | ${verdict(firstMs <= 3_000)} |
${writesRow(writes)}
${growth.map(growthRows).join('\n')}
${slope(growth)}

The cost per cluster is higher with few clusters, because the watch history (32 MB) and the reserve of the heap are fixed costs. Idle
is measured from 20 to 40 seconds after the last cluster was Available; every workload cluster is probed every ten seconds in that
time.
${growth.length > 1 ? '\n![Cost per cluster by number of clusters](benchmarks-growth.svg)\n' : ''}`;
}

function compared(
  measure: string,
  ours: readonly Cost[],
  theirs: readonly Cost[],
  of: (cost: Cost) => number,
  times: number,
): string {
  const mine = median(ours.map(of));
  if (theirs.length === 0) return `| ${measure} | ${mine.toFixed(1)} | | | at most 1/${times} | |`;
  const other = median(theirs.map(of));
  const ratio = `1/${(other / mine).toFixed(1)}`;
  return `| ${measure} | ${mine.toFixed(1)} | ${other.toFixed(1)} | ${ratio} | at most 1/${times} | ${verdict(mine * times <= other)} |`;
}

function growthRows({ count, wallMs, cpuMs, megabytes, megabytesEach, idleShare }: Growth): string {
  const isLarge = count >= 1_000;
  const rows = [
    `| ${count} clusters: all Available after | ${(wallMs / 1_000).toFixed(1)} s, ${(wallMs / count).toFixed(0)} ms each | | |`,
    `| ${count} clusters: CPU | ${(cpuMs / 1_000).toFixed(1)} s, ${(cpuMs / count).toFixed(0)} ms each | | |`,
    `| ${count} clusters: resident memory | ${megabytes.toFixed(0)} MB, ${megabytesEach.toFixed(2)} MB each | ${isLarge ? `at most 1.5 MB each | ${verdict(megabytesEach <= 1.5)}` : '|'} |`,
  ];
  if (isLarge)
    rows.push(
      `| ${count} clusters: idle | ${(idleShare * 100).toFixed(1)} % of a core | under 2 % | ${verdict(idleShare < 0.02)} |`,
    );
  return rows.join('\n');
}

function writesRow({ clusters, stored, recorded, unexplained }: WriteCount): string {
  const found = `${recorded} of ${stored}, ${unexplained} without a reason`;
  const isComplete = recorded === stored && unexplained === 0;
  return `| ${clusters} clusters: writes of controllers in the change feed | ${found} | all | ${verdict(isComplete)} |`;
}

function slope(growth: readonly Growth[]): string {
  const small = growth.find(({ count }) => count === 100);
  const large = growth.find(({ count }) => count === 1_000);
  if (small === undefined || large === undefined) return '';
  const ratio = large.wallMs / large.count / (small.wallMs / small.count);
  const cpuRatio = large.cpuMs / large.count / (small.cpuMs / small.count);
  return `| time per cluster, 1,000 to 100 | ${ratio.toFixed(2)}x, CPU ${cpuRatio.toFixed(2)}x | at most 1.3x | ${verdict(ratio <= 1.3)} |`;
}

function verdict(met: boolean): string {
  return met ? 'met' : '**missed**';
}
