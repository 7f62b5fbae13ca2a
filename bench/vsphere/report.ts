import { cpus, loadavg, totalmem } from 'node:os';
import { median } from '../api/load/statistics.js';

export interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly megabytes: number;
  readonly soapCalls: number;
  readonly restCalls: number;
  readonly sessions: number;
  readonly calls: Readonly<Record<string, number>>;
}

type Round = Readonly<Record<'made' | 'removed', Cost>>;

interface Results {
  readonly clusters: number;
  readonly machines: number;
  readonly ours: readonly Round[];
  readonly theirs: readonly Round[];
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
    { name: 'CPU until all are made, s', of: ({ made }) => made.cpuMs / 1_000, part: 1 / 2 },
    { name: 'CPU until all are removed, s', of: ({ removed }) => removed.cpuMs / 1_000, part: 1 / 2 },
    { name: 'wall time until all are made, s', of: ({ made }) => made.wallMs / 1_000 },
    { name: 'wall time until all are removed, s', of: ({ removed }) => removed.wallMs / 1_000 },
    { name: 'resident memory, MB', of: ({ made }) => made.megabytes },
  ];
}

export function reportText({ clusters, machines, ours, theirs }: Results): string {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GB, Node ${process.versions.node}`;
  const load = loadavg().map((one) => one.toFixed(1));
  return `# Benchmarks of vSphere

\`npm run bench:vsphere\` makes ${clusters} clusters of three machines in govmomi's vCenter simulator and removes the machines
again, by \`slipway manager --provider infrastructure-vsphere\` and by upstream's vSphere provider 1.16.1, in turns, each alone with
a kube-apiserver, an etcd and a simulator of its own. The benchmark itself plays Cluster API: it writes Machines and bootstrap
data, and takes a machine for made when its VSphereMachine says that it is provisioned. Each figure is the median of
${ours.length === 1 ? 'one round' : `${ours.length} rounds`}. CPU and memory are the manager's own, without those of the servers. Both run with their defaults.

\`\`\`
npm ci && npm run peers
npm run peers -- cluster-api-vsphere        # upstream's manager: some minutes, once
npm run bench:vsphere                       # 100 clusters, three rounds
npm run bench:vsphere -- --clusters 10 --rounds 1 --calls   # which calls were made
npm run bench:vsphere -- --alone            # ours alone
npm run bench:vsphere -- --write            # writes this page
\`\`\`

On ${machine}; load average at the end ${load.join(', ')}.

| ${machines} machines | slipway | upstream | ratio | target | |
| --- | ---: | ---: | ---: | --- | --- |
${measures(machines)
  .map((measure) => row(measure, ours, theirs))
  .join('\n')}
`;
}

function row({ name, of, part, most }: Measure, ours: readonly Round[], theirs: readonly Round[]): string {
  const mine = median(ours.map(of));
  const other = theirs.length === 0 ? undefined : median(theirs.map(of));
  const shown = other === undefined ? '' : figure(other);
  const ratio = other === undefined || other === 0 ? '' : (mine / other).toFixed(2);
  if (most !== undefined)
    return `| ${name} | ${figure(mine)} | ${shown} | ${ratio} | at most ${most} | ${verdict(mine <= most)} |`;
  if (part === undefined) return `| ${name} | ${figure(mine)} | ${shown} | ${ratio} | | |`;
  const met = other === undefined ? '' : verdict(mine <= other * part);
  return `| ${name} | ${figure(mine)} | ${shown} | ${ratio} | at most ${part} of upstream's | ${met} |`;
}

const figure = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1));
const verdict = (met: boolean): string => (met ? 'met' : '**missed**');
