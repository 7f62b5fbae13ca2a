// Compares informers and controllers with those of client-go and controller-runtime. See docs/benchmarks-runtime.md.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { InProcessClient } from '@slipway/plane';
import { connectionOf, createHttpClient, parseKubeconfig } from '@slipway/runtime';
import { startEmbeddedServer } from '@slipway/testing/plane';
import { peerBinary } from '../../test/support/peer-process.js';
import { startRealKubeApiserver } from '../../test/support/real-kube-apiserver.js';
import { fill, type InformerMeasure, machines, measureInformer } from './measure-informer.js';
import { measureEdits, measureReconciles } from './measure-reconcile.js';
import { reportText } from './report.js';

const { values: flags } = parseArgs({
  options: {
    objects: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
});
const objects = Number(flags.objects);
const rounds = Number(flags.rounds);
const reportFile = fileURLToPath(new URL('../../docs/benchmarks-runtime.md', import.meta.url));
const informerProcess = fileURLToPath(new URL('informer-process.ts', import.meta.url));

function run<T>(program: string, args: readonly string[]): T {
  return JSON.parse(execFileSync(program, args, { encoding: 'utf8' })) as T;
}

/** Runs both informers alternately on one kube-apiserver, each in its own process. */
async function compareInformers(): Promise<{ ours: InformerMeasure[]; theirs: InformerMeasure[] }> {
  const server = await startRealKubeApiserver();
  try {
    const writer = createHttpClient(connectionOf(parseKubeconfig(server.kubeconfig)));
    await fill(writer, objects);
    writer.close();
    const peer = [server.kubeconfigFile, machines.group, machines.version, machines.plural];
    const ours: InformerMeasure[] = [];
    const theirs: InformerMeasure[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(run(process.execPath, ['--import', 'tsx', informerProcess, server.kubeconfigFile]));
      theirs.push(run(peerBinary('informer-timer'), peer));
      console.log('informer', ours.at(-1), theirs.at(-1));
    }
    return { ours, theirs };
  } finally {
    await server.stop();
  }
}

async function measureInProcess(): Promise<InformerMeasure[]> {
  const embedded = await startEmbeddedServer();
  try {
    const client = new InProcessClient({ registry: embedded.server.registry });
    await fill(client, objects);
    const measures: InformerMeasure[] = [];
    for (let round = 0; round < rounds; round += 1) measures.push(await measureInformer(client));
    console.log('informer in process', measures.at(-1));
    return measures;
  } finally {
    await embedded.stop();
  }
}

const informers = await compareInformers();
const inProcess = await measureInProcess();
const reconciles = {
  ours: await measureReconciles(objects, 4 * rounds),
  theirs: run<number[]>(peerBinary('reconcile-timer'), [String(objects), String(4 * rounds)]),
};
const text = reportText({ objects, rounds, informers, inProcess, reconciles, edits: measureEdits() });
if (flags.write) writeFileSync(reportFile, text);
else console.log(text);
