import { cpus, loadavg, totalmem } from 'node:os';
import { median } from '../api/load/statistics.js';

export interface Cost {
  readonly wallMs: number;
  /** Of the manager alone, and with its API server and store. */
  readonly cpuMs: number;
  readonly sideCpuMs: number;
  /** Of the whole side. */
  readonly megabytes: number;
  readonly soapCalls: number;
  readonly restCalls: number;
  readonly sessions: number;
  readonly calls: Readonly<Record<string, number>>;
}

export type Round = Readonly<Record<'made' | 'removed', Cost>>;

interface Results {
  readonly clusters: number;
  readonly machines: number;
  /** `slipway manager`, `slipway up` and upstream. */
  readonly manager: readonly Round[];
  readonly embedded: readonly Round[];
  readonly upstream: readonly Round[];
}

interface Measure {
  readonly name: string;
  readonly of: (round: Round) => number;
  /** At most this part of upstream's. */
  readonly part?: number;
  /** At most this many, whatever upstream has. */
  readonly most?: number;
}

function measures(machines: number): readonly Measure[] {
  return [
    { name: 'SOAP calls for each machine, made', of: ({ made }) => made.soapCalls / machines, part: 1 },
    { name: 'SOAP calls for each machine, removed', of: ({ removed }) => removed.soapCalls / machines, part: 1 },
    { name: 'REST calls, made and removed', of: ({ made, removed }) => made.restCalls + removed.restCalls },
    { name: 'sessions, for one server and user', of: ({ made }) => made.sessions, most: 1 },
    { name: 'CPU of the manager until all are made, s', of: ({ made }) => made.cpuMs / 1_000, part: 1 / 2 },
    { name: 'CPU of the manager until all are removed, s', of: ({ removed }) => removed.cpuMs / 1_000, part: 1 / 2 },
    { name: 'CPU of all until all are made, s', of: ({ made }) => made.sideCpuMs / 1_000, part: 1 / 2 },
    { name: 'CPU of all until all are removed, s', of: ({ removed }) => removed.sideCpuMs / 1_000, part: 1 / 2 },
    { name: 'wall time until all are made, s', of: ({ made }) => made.wallMs / 1_000 },
    { name: 'wall time until all are removed, s', of: ({ removed }) => removed.wallMs / 1_000 },
    { name: 'resident memory of all, MB', of: ({ made }) => made.megabytes },
  ];
}

export function reportText({ clusters, machines, ...results }: Results): string {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GB, Node ${process.versions.node}`;
  const load = loadavg().map((one) => one.toFixed(1));
  const rounds = results.manager.length;
  return `# Benchmarks of vSphere

\`npm run bench:vsphere\` makes ${clusters} clusters of three machines in govmomi's vCenter simulator and removes the machines
again, in turns, each time with a simulator of its own, by

- \`slipway manager --provider infrastructure-vsphere\` with a kube-apiserver and an etcd,
- \`slipway up\`: our API server and every controller that there is, in one process,
- upstream's vSphere provider 1.16.1 with a kube-apiserver and an etcd.

The benchmark itself plays Cluster API: it writes Machines and bootstrap data, and takes a machine for made when its
VSphereMachine says that it is provisioned. Each figure is the median of ${rounds === 1 ? 'one round' : `${rounds} rounds`}. "Of all" is the manager, its API server
and the store of that; of \`slipway up\` it is the one process, whose other controllers do for these machines what upstream's core
manager would do, which is not among upstream's figures. All run with their defaults. Ratios are to upstream.

\`\`\`
npm ci && npm run peers
npm run peers -- cluster-api-vsphere        # upstream's manager: some minutes, once
npm run bench:vsphere                       # 100 clusters, three rounds
npm run bench:vsphere -- --clusters 10 --rounds 1 --calls   # which calls were made
npm run bench:vsphere -- --alone            # ours alone
npm run bench:vsphere -- --write            # writes this page
\`\`\`

On ${machine}; load average at the end ${load.join(', ')}.

| ${machines} machines | slipway manager | slipway up | upstream | target | slipway manager | slipway up |
| --- | ---: | ---: | ---: | --- | --- | --- |
${measures(machines)
  .map((measure) => row(measure, results))
  .join('\n')}
`;
}

function row(
  measure: Measure,
  { manager, embedded, upstream }: Pick<Results, 'manager' | 'embedded' | 'upstream'>,
): string {
  const { name, of, part, most } = measure;
  const [ours, up] = [median(manager.map(of)), median(embedded.map(of))];
  const theirs = upstream.length === 0 ? undefined : median(upstream.map(of));
  const target = most === undefined ? part && `at most ${part} of upstream's` : `at most ${most}`;
  const judged = [ours, up].map((value) => judgement(value, theirs, measure));
  const shown = [figure(ours), figure(up), theirs === undefined ? '' : figure(theirs), target ?? '', ...judged];
  return `| ${name} | ${shown.join(' | ')} |`;
}

function judgement(value: number, theirs: number | undefined, { part, most }: Measure): string {
  const ratio = theirs === undefined || theirs === 0 ? '' : (value / theirs).toFixed(2);
  const limit = most ?? (part === undefined || theirs === undefined ? undefined : part * theirs);
  if (limit === undefined) return ratio;
  return `${ratio} ${value <= limit ? 'met' : '**missed**'}`.trim();
}

const figure = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1));
