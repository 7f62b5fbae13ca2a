import { cpus, loadavg, totalmem } from 'node:os';
import { isMet, type OwnRow, ratioOf, type ResultRow, type Results } from './result.js';

export function formatRow(row: ResultRow): string {
  const { measure, unit, values } = row;
  const verdict = row.target === undefined ? '' : isMet(row) ? '  met' : '  MISSED';
  return `${measure}, ${unit}: ${number(values.ours)} to ${number(values.theirs)} = ${ratioText(row)}${verdict}`;
}

function ratioText(row: ResultRow): string {
  const ratio = ratioOf(row);
  return ratio < 1 ? `1/${(1 / ratio).toFixed(1)}` : `${ratio.toFixed(1)}x`;
}

function targetText({ target }: ResultRow): string {
  if (target === undefined) return '';
  if ('atLeast' in target) return `at least ${target.atLeast}x`;
  return target.atMost >= 1 ? `at most ${target.atMost}x` : `at most 1/${Math.round(1 / target.atMost)}`;
}

function number(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function reportText(results: Results, quick: boolean): string {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GB, Node ${process.versions.node}`;
  const load = loadavg().map((one) => one.toFixed(1));
  return `# API server benchmarks

\`npm run bench:api\` runs Slipway's API server and kube-apiserver with etcd side by side on one host and compares the cost of
requests. Slipway runs from its bundle, as shipped. Both etcd and Slipway flush every write to disk.

## Method

- Both servers run at the same time; rounds of load alternate between them, and each figure is the median of its rounds.
  Other load on the host therefore affects both, and only the **ratio** is comparable between hosts.
- One load generator in its own process sends requests to both over HTTP/2 with a client certificate: four connections for 64
  concurrent requests, one connection for sequential requests.
- CPU-ms is user and system time of the server's processes (kube-apiserver and etcd together) per request, from
  \`/proc/<pid>/stat\`. Memory is their resident set.
- The custom resource has 2.8 KB, a structural schema with defaults, a status subresource, lists by key and a CEL rule. A
  ConfigMap has 0.9 KB. Objects in the memory measurement are custom resources of 2.1 KB.
- The growth of the cost of a write is the minimum of five bursts, not a median, and the first burst includes compilation: it
  shows growth beyond about a third, nothing finer.

## Run it

\`\`\`
npm ci && npm run peers           # builds kube-apiserver and etcd once
npm run bench:api                 # everything, about six minutes
npm run bench:api -- --quick      # the requests only, about a minute
npm run bench:api -- --write      # writes this page
npm run bench:api -- --http1      # HTTP/1.1 with keep-alive connections
npm run bench:api -- --assert     # fails when a target is missed by more than half of it
\`\`\`

Use \`--quick --assert\` on a dedicated host. It is not part of \`npm test\`: wall-clock times on a shared host vary more than a
regression, and flaky tests are soon ignored.

## Results

${quick ? 'A quick run' : 'A full run'} on ${machine}; load average at its end ${load.join(', ')} (two servers, the load generator and any
other processes share the cores).

| measure | unit | slipway | kube-apiserver + etcd | ratio | target | |
| --- | --- | ---: | ---: | ---: | --- | --- |
${results.rows.map(tableRow).join('\n')}

${ownTable(results.own)}`;
}

function tableRow(row: ResultRow): string {
  const { measure, unit, values } = row;
  const verdict = row.target === undefined ? '' : isMet(row) ? 'met' : '**missed**';
  const cells = [measure, unit, number(values.ours), number(values.theirs), ratioText(row), targetText(row), verdict];
  return `| ${cells.join(' | ')} |`;
}

function ownTable(own: readonly OwnRow[]): string {
  const rows = own.map(({ measure, value, target = '', met }) => {
    const verdict = met === undefined ? '' : met ? 'met' : '**missed**';
    return `| ${measure} | ${value} | ${target} | ${verdict} |`;
  });
  return ['| slipway only | value | target | |', '| --- | ---: | --- | --- |', ...rows, ''].join('\n');
}
