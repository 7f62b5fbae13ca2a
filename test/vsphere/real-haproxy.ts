import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reachSimulatedGuest } from '@slipway/simulators';

const timeoutMs = 60_000;

/** Runs real HAProxy processes instead of the load balancer machines. */
export class RealHaproxy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'slipway-haproxy-'));
  readonly #running = new Map<string, ChildProcess>();
  /** Every configuration that HAProxy has validated. */
  readonly checked: string[] = [];

  readonly run = async (address: string, configuration: string | undefined): Promise<void> => {
    const old = this.#running.get(address);
    if (configuration === undefined) {
      this.#running.delete(address);
      old?.kill('SIGTERM');
      return;
    }
    const given = join(this.#folder, 'given.cfg');
    writeFileSync(given, configuration);
    execFileSync('haproxy', ['-c', '-f', given], { stdio: 'pipe' });
    this.checked.push(configuration);
    const host = reachSimulatedGuest(address);
    const file = join(this.#folder, `${host}.cfg`);
    writeFileSync(file, onThisHost(configuration, host, join(this.#folder, `${host}.sock`)));
    const child = spawn('haproxy', ['-db', '-f', file, ...(old?.pid === undefined ? [] : ['-sf', String(old.pid)])], {
      stdio: 'ignore',
    });
    this.#running.set(address, child);
    await untilListening(host, 6443, child);
    // The old process has released the port and exits, because it has no connections.
    if (old !== undefined && old.exitCode === null && old.signalCode === null) await once(old, 'exit');
  };

  async stop(): Promise<void> {
    for (const child of this.#running.values()) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Returns the configuration for one address only, and without the Data Plane API, which the test simulates. */
function onThisHost(configuration: string, host: string, socket: string): string {
  return configuration
    .replace(/^program api\n(?: .*\n)*/m, '')
    .replace(/^ {2}master-worker\n/m, '')
    .replace(/stats socket \S+ user haproxy group haproxy/, `stats socket ${socket}`)
    .replaceAll('bind *:', `bind ${host}:`);
}

async function untilListening(host: string, port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const exited = once(child, 'exit').then(() => 'exited' as const);
  for (;;) {
    const socket = connect({ host, port });
    const connected = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      exited,
    ]);
    socket.destroy();
    if (connected === true) return;
    if (connected === 'exited' || Date.now() > deadline) throw new Error(`haproxy does not listen on ${host}:${port}`);
    // Poll until the other process listens.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
