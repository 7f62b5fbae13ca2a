import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import { certificateToPem, generatePrivateKey, privateKeyToPem, selfSign, servingTemplate } from '@slipway/pki';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BalancedServer } from '@slipway/cluster-api';
import { freePorts } from '../../../test/support/peer-process.js';
import { HaproxyBalancers } from '../src/endpoint/index.js';

const host = '127.0.0.1';
const freePort = async (): Promise<number> => (await freePorts(1))[0] ?? 0;
const id = '1d3c7a52-0000-4000-8000-000000000001';
let identity: { key: string; cert: string };
let scope: Scope;
let directory: string;
let balancers: HaproxyBalancers;

beforeAll(async () => {
  const key = await generatePrivateKey('ECDSA');
  const template = servingTemplate('api', ['api', host]);
  const certificate = await selfSign({ clock: systemClock, random: systemRandom }, template, key);
  identity = { key: privateKeyToPem(key), cert: certificateToPem(certificate) };
});

beforeEach(() => {
  scope = new Scope();
  directory = mkdtempSync(join(tmpdir(), 'hp-'));
  scope.defer(() => rmSync(directory, { recursive: true, force: true }));
  balancers = new HaproxyBalancers({ directory, clock: systemClock });
  scope.defer(() => balancers.remove(id));
});
afterEach(() => scope.dispose());

interface ApiServer extends BalancedServer {
  isReady: boolean;
  readonly sockets: ReadonlySet<Socket>;
}

/** Starts a server that answers with its name. On /watch it streams until the test stops it. */
async function startApiServer(name: string): Promise<ApiServer> {
  const sockets = new Set<Socket>();
  const server = createServer(identity, (incoming, response) => {
    if (incoming.url === '/readyz') response.writeHead(api.isReady ? 200 : 500).end();
    else if (incoming.url === '/watch') response.writeHead(200).write('begun');
    else response.end(name);
  });
  server.on('secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  scope.defer(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const api = { name, host, port: (server.address() as AddressInfo).port, isDraining: false, isReady: true, sockets };
  return api;
}

function get(port: number, path: string): Promise<{ text: () => string; ended: Promise<unknown> }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host, port, path, rejectUnauthorized: false, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', () => undefined);
      resolve({ text: () => text, ended: new Promise((end) => response.once('close', end)) });
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}

async function ask(port: number): Promise<string> {
  const answer = await get(port, '/');
  await answer.ended;
  return answer.text();
}

/** Waits until the server with this name answers: the old process may accept another connection shortly after a reload. */
async function untilAnswered(port: number, name: string): Promise<void> {
  await expect.poll(() => ask(port)).toBe(name);
}

const masterPid = (): string => readFileSync(join(directory, readdirSync(directory)[0] ?? '', 'haproxy.pid'), 'utf8');

/** Whether a process runs. A zombie process has ended. */
const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

describe('HAProxy in front of a control plane', () => {
  it('reloads without refusing connections, and keeps open connections', async () => {
    const [one, two] = [await startApiServer('one'), await startApiServer('two')];
    const bind = { host, port: await freePort() };
    await balancers.ensure({ id, bind, servers: [one] });
    const master = masterPid();
    const watching = await get(bind.port, '/watch');
    await expect.poll(() => watching.text()).toBe('begun');
    const answers: string[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) answers.push(await ask(bind.port));
    })();
    await expect.poll(() => answers).toContain('one');
    await balancers.ensure({ id, bind, servers: [one, two] });
    await balancers.ensure({ id, bind, servers: [two] });
    // A new manager process observes the running HAProxy and changes nothing.
    await new HaproxyBalancers({ directory, clock: systemClock }).ensure({ id, bind, servers: [two] });
    isOver = true;
    await asking;
    await untilAnswered(bind.port, 'two');
    expect(one.sockets.size).toBeGreaterThan(0);
    expect(masterPid()).toBe(master);
  });

  it('sends no new connections to a deleting machine, nor to one that is not ready', async () => {
    const [one, two] = [await startApiServer('one'), await startApiServer('two')];
    const bind = { host, port: await freePort() };
    await balancers.ensure({ id, bind, servers: [one] });
    const watching = await get(bind.port, '/watch');
    await balancers.ensure({ id, bind, servers: [{ ...one, isDraining: true }, two] });
    await untilAnswered(bind.port, 'two');
    expect([await ask(bind.port), await ask(bind.port)]).toEqual(['two', 'two']);
    expect(await balancers.isCurrent({ id, bind, servers: [{ ...one, isDraining: true }, two] })).toBe(true);
    expect(await balancers.isCurrent({ id, bind, servers: [one, two] })).toBe(false);
    expect(await balancers.isCurrent({ id, bind, servers: [two] })).toBe(false);
    await expect.poll(() => watching.text()).toBe('begun');
    await balancers.ensure({ id, bind, servers: [one, two] });
    two.isReady = false;
    await expect.poll(() => balancers.health(id)).toEqual({ one: true, two: false });
    expect([await ask(bind.port), await ask(bind.port)]).toEqual(['one', 'one']);
  });

  it('reports that the port is in use, and starts once it is free', async () => {
    const bind = { host, port: await freePort() };
    const taken = createTcpServer().listen(bind.port, host);
    await once(taken, 'listening');
    await expect(balancers.ensure({ id, bind, servers: [] })).rejects.toMatchObject({
      reason: 'EndpointPortTaken',
      message: expect.stringContaining('choose another port'),
    });
    await new Promise((resolve) => taken.close(resolve));
    await balancers.ensure({ id, bind, servers: [await startApiServer('one')] });
    expect(await ask(bind.port)).toBe('one');
  });

  it('restarts after it was killed, and leaves no process or file after its removal', async () => {
    const bind = { host, port: await freePort() };
    const servers = [await startApiServer('one')];
    await balancers.ensure({ id, bind, servers });
    process.kill(Number(masterPid()), 'SIGKILL');
    await expect.poll(() => balancers.health(id)).toBeUndefined();
    await balancers.ensure({ id, bind, servers });
    expect(await ask(bind.port)).toBe('one');
    const pid = Number(masterPid());
    await balancers.remove(id);
    expect(isAlive(pid)).toBe(false);
    expect(readdirSync(directory)).toEqual([]);
    await balancers.remove(id);
  });
});
