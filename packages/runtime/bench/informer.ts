import { execFileSync } from 'node:child_process';
import { peerBinary } from '../../../test/support/peer-process.js';
import { startRealKubeApiserver } from '../../../test/support/real-kube-apiserver.js';
import { connectionOf, createHttpClient, parseKubeconfig } from '../src/index.js';
import { describe, fill, machines, measureInformer } from './measure-informer.js';

/**
 * An informer over HTTPS beside client-go's, on the same kube-apiserver and etcd:
 * `npx tsx packages/runtime/bench/informer.ts`, after `npm run peers`.
 */
const count = Number(process.env['BENCH_OBJECTS'] ?? 10_000);
const rounds = 3;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const server = await startRealKubeApiserver();
try {
  const connection = connectionOf(parseKubeconfig(server.kubeconfig));
  const writer = createHttpClient(connection);
  await fill(writer, count);
  writer.close();
  let ours = Infinity;
  let theirs = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const client = createHttpClient(connection);
    const measure = await measureInformer(client, round === rounds - 1);
    client.close();
    ours = Math.min(ours, measure.ms);
    print(describe(round === rounds - 1 ? 'slipway, managedFields stripped' : 'slipway', measure));
    const args = [server.kubeconfigFile, machines.group, machines.version, machines.plural];
    const peer = JSON.parse(execFileSync(peerBinary('informer-timer'), args, { encoding: 'utf8' })) as {
      ms: number;
      objects: number;
      heapBytes: number;
    };
    theirs = Math.min(theirs, peer.ms);
    print(
      `client-go: ${peer.objects} objects in ${peer.ms} ms, heap ${Math.round(peer.heapBytes / peer.objects)} B an object`,
    );
  }
  print(`best of ${rounds}: ${(ours / theirs).toFixed(2)} times client-go`);
} finally {
  await server.stop();
}
