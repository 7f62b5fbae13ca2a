import { median } from '../api/load/statistics.js';
import { machineLine } from '../machine-line.js';
import type { InformerMeasure } from './measure-informer.js';

export interface Results {
  readonly objects: number;
  readonly rounds: number;
  readonly informers: { readonly ours: readonly InformerMeasure[]; readonly theirs: readonly InformerMeasure[] };
  readonly inProcess: readonly InformerMeasure[];
  /** CPU microseconds per reconcile. */
  readonly reconciles: { readonly ours: readonly number[]; readonly theirs: readonly number[] };
  readonly edits: { readonly edited: number; readonly cloned: number };
}

export function reportText({ objects, rounds, informers, inProcess, reconciles, edits }: Results): string {
  const { ours, theirs } = informers;
  const share = median(inProcess.map(({ heapBytes, jsonBytes }) => heapBytes / jsonBytes));
  const remoteShare = median(ours.map(({ heapBytes, jsonBytes }) => heapBytes / jsonBytes));
  const ms = median(inProcess.map((one) => one.ms));
  return `# Controller runtime benchmarks

\`npm run bench:runtime\` compares the controller runtime with client-go and controller-runtime.

- An informer syncs ${objects.toLocaleString('en')} objects of 2 KB over HTTPS from one kube-apiserver with etcd: ours and client-go's dynamic informer
  alternate, each in a new process, so that our figures include compilation. Medians of ${rounds} rounds. Heap is the memory
  per object after a garbage collection.
- A no-op reconcile is measured from the watch event through cache, queue and controller; the events come from memory.
  controller-runtime also copies the object that its reader returns; our reader returns the frozen cached object.

\`\`\`
npm ci && npm run peers
npm run bench:runtime               # about a minute
npm run bench:runtime -- --write    # writes this page
\`\`\`

${machineLine()}

| measure | unit | slipway | Go | ratio | target | |
| --- | --- | ---: | ---: | ---: | --- | --- |
${compared('informer over HTTPS', 'ms', values(ours, 'ms'), values(theirs, 'ms'), 2)}
${compared('informer over HTTPS', 'CPU-ms', values(ours, 'cpuMs'), values(theirs, 'cpuMs'))}
${compared('informer over HTTPS: heap', 'bytes per object', each(ours), each(theirs))}
${compared('no-op reconcile', 'µs of CPU', reconciles.ours, reconciles.theirs)}

| slipway only | value | target | |
| --- | ---: | --- | --- |
| informer in process | ${ms.toFixed(0)} ms | at most 1,000 ms | ${verdict(ms <= 1_000)} |
| informer in process: heap relative to the objects' JSON | ${share.toFixed(2)}x | at most 2x | ${verdict(share <= 2)} |
| informer over HTTPS: heap relative to the objects' JSON | ${remoteShare.toFixed(2)}x | at most 2x | ${verdict(remoteShare <= 2)} |
| no-op reconcile | ${median(reconciles.ours).toFixed(1)} µs | at most 50 µs | ${verdict(median(reconciles.ours) <= 50)} |
| change of one field of a frozen object | ${edits.edited.toFixed(1)} µs, with structured clone ${edits.cloned.toFixed(1)} µs | | |
`;
}

function values(measures: readonly InformerMeasure[], name: 'ms' | 'cpuMs'): number[] {
  return measures.map((one) => one[name]);
}

function each(measures: readonly InformerMeasure[]): number[] {
  return measures.map(({ heapBytes, objects }) => heapBytes / objects);
}

function compared(
  measure: string,
  unit: string,
  ours: readonly number[],
  theirs: readonly number[],
  timesMax?: number,
): string {
  const [mine, other] = [median(ours), median(theirs)];
  const ratio = mine <= other ? `1/${(other / mine).toFixed(1)}` : `${(mine / other).toFixed(1)}x`;
  const target = timesMax === undefined ? ' | ' : `at most ${timesMax}x | ${verdict(mine <= timesMax * other)}`;
  return `| ${measure} | ${unit} | ${digits(mine)} | ${digits(other)} | ${ratio} | ${target} |`;
}

function digits(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
}

function verdict(met: boolean): string {
  return met ? 'met' : '**missed**';
}
