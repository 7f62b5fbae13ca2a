import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as send } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { connectionOf, createHttpClient, parseKubeconfig } from '@slipway/runtime';
import { startHttpsServer, startOciServer } from '@slipway/testing/servers';
import { Stage } from '../../packages/drivers/test/support/stage.js';

// Servers and nodes that documented commands need and a scene does not have. A program of its own, because it runs in the
// network namespace of the scene, with the host names and the port of the examples.

const settleMs = 300;

/** Serves an OCI registry, empty until a command pushes to it. */
async function serveRegistry(name: string): Promise<string> {
  const { certificateAuthority } = await startOciServer({}, { name, port: 443 });
  return certificateAuthority;
}

/** Serves vcsim below a host name: its own certificate is valid for 127.0.0.1 only. */
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
  const stage = new Stage(createHttpClient(connectionOf(kubeconfig)), () => Date.now());
  await stage.ensureNamespace('kube-system');
  await stage.addNodes(1);
  await stage.initializeNodes();
  for (;;) {
    await stage.settleWorkloads();
    await pause(settleMs);
  }
}

process.once('SIGTERM', () => process.exit(0));
const [what = '', name = ''] = process.argv.slice(2);
if (what === 'nodes') await simulateNodes();
const certificate = what === 'vcenter' ? await serveVCenter(name) : await serveRegistry(name);
appendFileSync(join(process.env['HOME'] ?? '', 'authorities.crt'), certificate);
console.log('ready');
