import { cpus, loadavg, totalmem } from 'node:os';
import { median } from '../api/load/statistics.js';

export interface Cost {
  readonly wallMs: number;
  /** CPU time of the manager alone. The next field includes its API server and store. */
  readonly cpuMs: number;
  readonly sideCpuMs: number;
  /** Memory of all processes of the contender. */
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
  /** Rounds of `slipway manager`. The next fields have the rounds of `slipway up` and upstream. */
  readonly manager: readonly Round[];
  readonly embedded: readonly Round[];
  readonly upstream: readonly Round[];
}

interface Measure {
  readonly name: string;
  readonly of: (round: Round) => number;
  /** Maximum of the figure as a fraction of upstream's figure. */
  readonly part?: number;
  /** Absolute maximum of the figure, independent of upstream's figure. */
  readonly most?: number;
}

function measures(machines: number): readonly Measure[] {
  return [
    { name: 'SOAP calls per machine, create', of: ({ made }) => made.soapCalls / machines, part: 1 },
    { name: 'SOAP calls per machine, delete', of: ({ removed }) => removed.soapCalls / machines, part: 1 },
    { name: 'REST calls, create and delete', of: ({ made, removed }) => made.restCalls + removed.restCalls },
    { name: 'sessions, for one server and user', of: ({ made }) => made.sessions, most: 1 },
    { name: 'CPU of the manager until all are created, s', of: ({ made }) => made.cpuMs / 1_000, part: 1 / 2 },
    { name: 'CPU of the manager until all are deleted, s', of: ({ removed }) => removed.cpuMs / 1_000, part: 1 / 2 },
    { name: 'CPU of all processes until all are created, s', of: ({ made }) => made.sideCpuMs / 1_000, part: 1 / 2 },
    {
      name: 'CPU of all processes until all are deleted, s',
      of: ({ removed }) => removed.sideCpuMs / 1_000,
      part: 1 / 2,
    },
    { name: 'wall time until all are created, s', of: ({ made }) => made.wallMs / 1_000 },
    { name: 'wall time until all are deleted, s', of: ({ removed }) => removed.wallMs / 1_000 },
    { name: 'resident memory of all processes, MB', of: ({ made }) => made.megabytes },
  ];
}

export function reportText({ clusters, machines, ...results }: Results): string {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GB, Node ${process.versions.node}`;
  const load = loadavg().map((one) => one.toFixed(1));
  const rounds = results.manager.length;
  return `# vSphere benchmarks

\`npm run bench:vsphere\` creates ${clusters} clusters of three machines in govmomi's vCenter simulator and deletes the machines
again, in alternating rounds with a new simulator each, with

- \`slipway manager --provider infrastructure-vsphere\` with a kube-apiserver and an etcd,
- \`slipway up\`: the embedded API server and all controllers in one process,
- upstream's vSphere provider 1.16.1 with a kube-apiserver and an etcd.

The benchmark simulates Cluster API: it writes Machines and bootstrap data, and counts a machine as created when its
VSphereMachine is provisioned. Each figure is the median of ${rounds === 1 ? 'one round' : `${rounds} rounds`}. "All processes" are the manager, its API server
and etcd; for \`slipway up\` it is the one process, which includes the core controllers. Upstream's figures do not include its core
manager. All run with their defaults. Ratios are relative to upstream.

\`\`\`
npm ci && npm run peers
npm run peers -- cluster-api-vsphere        # upstream's manager: some minutes, once
npm run bench:vsphere                       # 100 clusters, three rounds
npm run bench:vsphere -- --clusters 10 --rounds 1 --calls   # list the calls
npm run bench:vsphere -- --alone            # slipway only
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
  const verdicts = [ours, up].map((value) => verdict(value, theirs, measure));
  const shown = [figure(ours), figure(up), theirs === undefined ? '' : figure(theirs), target ?? '', ...verdicts];
  return `| ${name} | ${shown.join(' | ')} |`;
}

function verdict(value: number, theirs: number | undefined, { part, most }: Measure): string {
  const ratio = theirs === undefined || theirs === 0 ? '' : (value / theirs).toFixed(2);
  const limit = most ?? (part === undefined || theirs === undefined ? undefined : part * theirs);
  if (limit === undefined) return ratio;
  return `${ratio} ${value <= limit ? 'met' : '**missed**'}`.trim();
}

const figure = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1));
