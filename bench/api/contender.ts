import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { type PeerProcess, startPeer } from '../../test/support/peer-process.js';
import { startRealKubeApiserver } from '../../test/support/real-kube-apiserver.js';

export interface Connection {
  readonly url: string;
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** One of the two servers that are compared. */
export interface Contender {
  readonly name: 'slipway' | 'kube-apiserver';
  readonly connection: Connection;
  readonly processIds: readonly number[];
  /** Milliseconds from the start of the first process to the first successful read by an authenticated client. */
  readonly startMs: number;
  stop(): Promise<void>;
}

const command = fileURLToPath(new URL('../../packages/cli/bin/slipway.mjs', import.meta.url));
const startPatienceMs = 60_000;

/** Starts kube-apiserver and etcd. Like Slipway, etcd flushes every write to disk. */
export async function startKubeApiserver(): Promise<Contender> {
  const startedAt = performance.now();
  const server = await startRealKubeApiserver({ durable: true });
  const connection = readConnection(server.kubeconfigFile);
  await untilServing(connection, startedAt);
  const startMs = performance.now() - startedAt;
  const { processIds } = server;
  return { name: 'kube-apiserver', connection, processIds, startMs, stop: () => server.stop() };
}

export interface SlipwayContender extends Contender {
  readonly directory: string;
}

/**
 * Starts Slipway's server from its bundle, as users do. Without a given data directory it uses a new one, which is removed when
 * the server stops.
 */
export async function startSlipway(
  options: { readonly directory?: string; readonly nodeFlags?: readonly string[] } = {},
): Promise<SlipwayContender> {
  const directory = options.directory ?? mkdtempSync(`${tmpdir()}/bench-slipway-`);
  const kubeconfigFile = `${directory}/admin.kubeconfig`;
  rmSync(kubeconfigFile, { force: true });
  const startedAt = performance.now();
  const up = ['up', '--api-only', '--port', '0', '--data-dir', directory, '--kubeconfig', kubeconfigFile];
  const peer = startPeer(process.execPath, [...(options.nodeFlags ?? []), command, ...up]);
  await untilExists(kubeconfigFile, peer, startedAt);
  const connection = readConnection(kubeconfigFile);
  await untilServing(connection, startedAt);
  const startMs = performance.now() - startedAt;
  const stop = async (): Promise<void> => {
    await peer.stop();
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
  };
  return { name: 'slipway', connection, processIds: [peer.pid], startMs, directory, stop };
}

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { server: string; 'certificate-authority-data': string } }];
  readonly users: readonly [{ readonly user: { 'client-certificate-data': string; 'client-key-data': string } }];
}

function readConnection(kubeconfigFile: string): Connection {
  const kubeconfig = parse(readFileSync(kubeconfigFile, 'utf8')) as Kubeconfig;
  const { cluster } = kubeconfig.clusters[0];
  const { user } = kubeconfig.users[0];
  const text = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
  return {
    url: cluster.server,
    authority: text(cluster['certificate-authority-data']),
    certificate: text(user['client-certificate-data']),
    key: text(user['client-key-data']),
  };
}

async function untilExists(file: string, peer: PeerProcess, startedAt: number): Promise<void> {
  while (!existsSync(file)) {
    if (peer.exited || performance.now() - startedAt > startPatienceMs)
      throw new Error(`slipway did not start:\n${peer.log()}`);
    await pause(5);
  }
}

async function untilServing(connection: Connection, startedAt: number): Promise<void> {
  while ((await statusOf(connection, '/api/v1/namespaces/default')) !== 200) {
    if (performance.now() - startedAt > startPatienceMs)
      throw new Error(`${connection.url} did not start to serve requests in time`);
    await pause(5);
  }
}

function statusOf(connection: Connection, path: string): Promise<number> {
  return new Promise((resolve) => {
    const { authority: ca, certificate: cert, key } = connection;
    const call = request(`${connection.url}${path}`, { ca, cert, key, agent: false, timeout: 5_000 }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve(0));
    call.end();
  });
}
