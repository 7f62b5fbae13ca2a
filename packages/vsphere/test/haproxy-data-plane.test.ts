import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import { parseYamlDocuments } from '@slipway/kube';
import { HaproxyGuest } from '@slipway/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bootstrapData, certificateScript } from '../src/vcenter/load-balancer/bootstrap-data.js';
import { DataPlane } from '../src/vcenter/load-balancer/data-plane.js';
import {
  type DataPlaneCredentials,
  type DataPlaneIdentity,
  makeCredentials,
  makeIdentity,
  parseAuthority,
} from '../src/vcenter/load-balancer/data-plane-credentials.js';
import { haproxyPorts, loadBalancerConfiguration } from '../src/vcenter/load-balancer/haproxy-configuration.js';

const environment = { clock: systemClock, random: systemRandom };
const host = `127.${1 + (process.pid % 250)}.254.1`;
const scope = new Scope();
let credentials: DataPlaneCredentials;
let identity: DataPlaneIdentity;
let folder: string;

beforeAll(async () => {
  credentials = await makeCredentials(environment, 'prod-haproxy');
  identity = await makeIdentity(environment, credentials);
  folder = mkdtempSync(join(tmpdir(), 'slipway-haproxy-'));
  scope.defer(() => rmSync(folder, { recursive: true, force: true }));
});
afterAll(() => scope.dispose());

async function withPlane<T>(
  act: (plane: DataPlane) => Promise<T>,
  own: Partial<DataPlaneCredentials> = {},
): Promise<T> {
  const { signal } = new AbortController();
  const plane = new DataPlane({ host, credentials: { ...credentials, ...own }, identity, clock: systemClock, signal });
  try {
    return await act(plane);
  } finally {
    plane.close();
  }
}

/** Configures HAProxy, and returns whether the configuration had to be replaced. */
async function configure(plane: DataPlane, text: string): Promise<boolean> {
  const version = await plane.versionToReplace(text);
  if (version !== undefined) await plane.replace(version, text);
  return version !== undefined;
}

describe('the Data Plane API of HAProxy', () => {
  const server = { name: 'a-0', host: '10.0.0.1', port: 6443, isDraining: false };

  it('replaces a changed configuration in a transaction, over mutual TLS', async () => {
    const ran: string[] = [];
    const guest = await HaproxyGuest.start({
      ...environment,
      ...credentials,
      host,
      addresses: [],
      authority: parseAuthority(credentials),
      configuration: loadBalancerConfiguration(credentials, []),
      run: (text) => Promise.resolve(void ran.push(text)),
    });
    const desired = loadBalancerConfiguration(credentials, [server]);
    expect(await withPlane((plane) => configure(plane, loadBalancerConfiguration(credentials, [])))).toBe(false);
    expect(await withPlane((plane) => configure(plane, desired))).toBe(true);
    expect(await withPlane((plane) => configure(plane, `${desired}\n`))).toBe(false);
    expect(guest.configuration).toBe(desired);
    expect(ran).toHaveLength(2);
    await expect(withPlane((plane) => configure(plane, desired), { password: 'other' })).rejects.toThrow(
      /returned status 401/,
    );
    const stranger = await makeCredentials(environment, 'stranger');
    await expect(withPlane((plane) => configure(plane, desired), { authority: stranger.authority })).rejects.toThrow(
      /certificate/,
    );
    await guest.dispose();
  });

  it('reports a failure without the response, which contains the password', async () => {
    const [key, cert] = [identity.key, identity.certificate];
    let reply = { status: 500, text: '' };
    const server500: Server = createServer({ key, cert }, (_request, response) => {
      response.writeHead(reply.status).end(reply.text);
    }).listen({ host, port: haproxyPorts.dataPlane });
    await once(server500, 'listening');
    // Without a CA the server is not verified: it presents the client certificate.
    const untrusting = { authority: '' };
    for (const status of [200, 400, 500]) {
      reply = { status, text: `user x insecure-password ${credentials.password}` };
      const reported = await withPlane((plane) => configure(plane, 'x'), untrusting).catch((error: unknown) =>
        String(error),
      );
      expect(reported).toMatch(/the HAProxy Data Plane API at .* returned (status|a response)/);
      expect(reported).not.toContain(credentials.password);
    }
    server500.closeAllConnections();
    server500.close();
  });

  it('generates a certificate for the addresses of the guest, and deletes the CA key afterwards', () => {
    writeFileSync(join(folder, 'ca.crt'), credentials.authority);
    writeFileSync(join(folder, 'ca.key'), credentials.authorityKey);
    execFileSync('sh', ['-c', certificateScript, 'script', folder], { stdio: 'pipe' });
    expect(readdirSync(folder).sort()).toEqual(['ca.crt', 'server.crt', 'server.key']);
    execFileSync('openssl', ['verify', '-CAfile', join(folder, 'ca.crt'), join(folder, 'server.crt')], {
      stdio: 'pipe',
    });
    const text = execFileSync('openssl', ['x509', '-in', join(folder, 'server.crt'), '-noout', '-text']).toString();
    expect(text).toContain('IP Address:127.0.0.1');
  });

  it('renders bootstrap data that HAProxy accepts', () => {
    const spec = {
      user: { name: 'capv', authorizedKeys: ['ssh-ed25519 AAAA'] },
      virtualMachineConfiguration: { template: 'haproxy', network: { devices: [] } },
    };
    const text = bootstrapData(spec, credentials);
    expect(text).toMatch(/^#cloud-config\n/);
    const document = parseYamlDocuments(text)[0]?.value as object as {
      write_files: readonly { path: string; permissions: string; content: string }[];
      users: readonly { name: string }[];
      runcmd: readonly (readonly string[])[];
    };
    expect(document.users).toMatchObject([{ name: 'capv', ssh_authorized_keys: ['ssh-ed25519 AAAA'] }]);
    expect(document.runcmd[0]).toEqual(['/etc/haproxy/make-certificate.sh', '/etc/haproxy']);
    const [configuration, authority, key, script] = document.write_files;
    expect([configuration?.path, authority?.path, key?.path, script?.path]).toEqual([
      '/etc/haproxy/haproxy.cfg',
      '/etc/haproxy/ca.crt',
      '/etc/haproxy/ca.key',
      '/etc/haproxy/make-certificate.sh',
    ]);
    expect(key?.permissions).toBe('0600');
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, loadBalancerConfiguration(credentials, [server]));
    execFileSync('haproxy', ['-c', '-f', file], { stdio: 'pipe' });
    writeFileSync(file, configuration?.content ?? '');
    execFileSync('haproxy', ['-c', '-f', file], { stdio: 'pipe' });
    expect(readFileSync(file, 'utf8')).toContain(credentials.password);
  });
});
