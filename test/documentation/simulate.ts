import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as send } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { connectionOf, createHttpClient, parseKubeconfig } from '@slipway/runtime';
import { startHttpsServer, startOciServer } from '@slipway/testing/servers';
import { legacyDefinition, legacyObjects } from '../kvm/support/legacy-cluster.js';
import { writeOpenShiftReleases } from '../operator/openshift-releases.js';
import { SimulatedCluster } from '../../packages/drivers/test/support/simulated-cluster.js';

// Simulates servers and nodes that documented commands need. A separate program, because it runs in the network namespace of the
// scenario, with the host names and the port of the examples.

const settleMs = 300;

/** Serves an OCI registry, which is empty until a command pushes to it. */
async function serveRegistry(name: string): Promise<string> {
  const { certificateAuthority } = await startOciServer({}, { name, port: 443 });
  return certificateAuthority;
}

/** Serves the files below ~/served, like a mirror of releases. */
async function serveFiles(name: string): Promise<string> {
  const folder = join(process.env['HOME'] ?? '', 'served');
  const { certificateAuthority } = await startHttpsServer(
    ({ url = '' }, response) => {
      const file = join(folder, url);
      response.writeHead(existsSync(file) ? 200 : 404).end(existsSync(file) ? readFileSync(file) : '');
    },
    { name, port: 443 },
  );
  return certificateAuthority;
}

/** Serves vcsim under a host name, because its own certificate is valid only for 127.0.0.1. */
async function serveVCenter(name: string): Promise<string> {
  const child = spawn('vcsim', ['-l', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill());
  for await (const line of createInterface(child.stdout)) {
    const { server } = JSON.parse(line) as { readonly server: string };
    const [host = '', port = ''] = server.split(':');
    const { certificateAuthority } = await startHttpsServer(forwardTo(host, Number(port)), { name, port: 443 });
    return certificateAuthority;
  }
  throw new Error('vcsim did not start');
}

const forwardTo =
  (host: string, port: number) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method, url, headers } = incoming;
    const forwarded = send(
      { host, port, method, path: url, headers, rejectUnauthorized: false, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  };

/** Simulates a node with the pods of all workloads in the cluster of $KUBECONFIG. */
async function simulateNodes(): Promise<never> {
  const kubeconfig = parseKubeconfig(readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8'));
  const cluster = new SimulatedCluster(createHttpClient(connectionOf(kubeconfig)), () => Date.now());
  await cluster.ensureNamespace('kube-system');
  await cluster.addNodes(1);
  await cluster.initializeNodes();
  for (;;) {
    await cluster.settleWorkloads();
    await pause(settleMs);
  }
}

/** Serves until it is stopped. Clients find the certificate in the home directory. */
async function serve(start: (name: string) => Promise<string>, name: string): Promise<void> {
  appendFileSync(join(process.env['HOME'] ?? '', 'trusted-cas.crt'), await start(name));
  console.log('ready');
}

process.once('SIGTERM', () => process.exit(0));
const [what = '', name = ''] = process.argv.slice(2);
if (what === 'nodes') await simulateNodes();
if (what === 'vcenter') await serve(serveVCenter, name);
if (what === 'files') await serve(serveFiles, name);
if (what === 'registry') await serve(serveRegistry, name);
if (what === 'kvm-operator') {
  writeFileSync('definition.yaml', legacyDefinition);
  writeFileSync('legacy.yaml', legacyObjects);
}
if (what === 'openshift-releases') writeOpenShiftReleases(name, 'v2.9.0');
