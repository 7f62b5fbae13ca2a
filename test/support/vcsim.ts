import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { peerBinary } from './peer-process.js';

interface FaultRule {
  readonly method: string;
  /** If set, the rule applies only to the object of this name. */
  readonly name?: string;
  readonly kind?:
    | 'NotAuthenticated'
    | 'NoPermission'
    | 'ResourceInUse'
    | 'InsufficientResources'
    | 'Network'
    | 'Timeout';
  readonly message?: string;
  readonly count?: number;
  readonly skip?: number;
}

interface GuestReport {
  readonly vm: string;
  /** The addresses, one list per network interface. */
  readonly addresses?: readonly (readonly string[])[];
  readonly tools?: boolean;
}

/** A running vCenter simulator. */
export interface Vcsim {
  readonly server: string;
  /** Its self-signed certificate in PEM. */
  readonly certificate: string;
  /** Simulates a guest that reports addresses or running VMware Tools. */
  guest(report: GuestReport): Promise<void>;
  /** Makes calls fail. */
  fault(rule: FaultRule): Promise<void>;
  clearFaults(): Promise<void>;
  /** Returns how often each SOAP method and REST path was called. */
  calls(): Promise<Readonly<Record<string, number>>>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const startTimeoutMs = 120_000;

export async function startVcsim(...args: readonly string[]): Promise<Vcsim> {
  const child = spawn(peerBinary('vcsim'), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-8000);
  });
  const exited = once(child, 'exit');
  const killWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const lines = createInterface(child.stdout);
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
  const [line] = (await Promise.race([once(lines, 'line'), exited.then(() => [''])])) as [string];
  clearTimeout(timer);
  if (line === '') throw new Error(`vcsim did not start: ${stderr}`);
  const { server, certificate } = JSON.parse(line) as { server: string; certificate: string };
  const control = (path: string, body?: unknown): Promise<unknown> => callControl(server, path, body);
  return {
    server,
    certificate,
    guest: async (report) => void (await control('/control/guest', report)),
    fault: async (rule) => void (await control('/control/fault', rule)),
    clearFaults: async () => void (await control('/control/fault', { clear: true })),
    calls: async () => (await control('/control/calls')) as Record<string, number>,
    async stop(signal = 'SIGTERM') {
      process.removeListener('exit', killWithUs);
      child.kill(signal);
      const kill = setTimeout(() => child.kill('SIGKILL'), 5000);
      await exited;
      clearTimeout(kill);
    },
  };
}

async function callControl(server: string, path: string, body?: unknown): Promise<unknown> {
  const call = request(`https://${server}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    rejectUnauthorized: false,
    agent: false,
  });
  // The connection may still break after the response.
  call.on('error', () => undefined);
  call.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(call, 'response')) as [AsyncIterable<Buffer> & { statusCode?: number }];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  if (response.statusCode !== 200) throw new Error(`vcsim ${path}: ${response.statusCode} ${text}`);
  return JSON.parse(text) as unknown;
}
