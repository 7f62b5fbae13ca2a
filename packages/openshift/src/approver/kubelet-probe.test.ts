import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { seededRandom, systemClock, VirtualClock } from '@slipway/base';
import {
  type Certificate,
  type CertificateTemplate,
  certificateToPem,
  createCa,
  generatePrivateKey,
  issueCertificate,
  privateKeyToPem,
  servingTemplate,
} from '@slipway/pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKubeletProbe } from './kubelet-probe.js';

const ip = '127.0.0.1';
const user = 'system:node:worker-1';
const dependencies = { clock: systemClock, random: seededRandom(1) };
const never = new AbortController().signal;

describe('kubelet probe', () => {
  let authority: Awaited<ReturnType<typeof createCa>>;
  let other: typeof authority;
  const servers: Server[] = [];
  beforeAll(async () => {
    authority = await createCa(dependencies, { commonName: 'kubelets', key: await generatePrivateKey('ECDSA') });
    other = await createCa(dependencies, { commonName: 'others', key: await generatePrivateKey('ECDSA') });
  });
  afterAll(() => servers.forEach((server) => server.close()));

  const right: CertificateTemplate = servingTemplate(user, ['worker-1', ip], { organizations: ['system:nodes'] });

  /** Starts a TLS server in place of a kubelet. */
  async function serve(template: CertificateTemplate, by = authority): Promise<number> {
    const key = await generatePrivateKey('ECDSA');
    const certificate = await issueCertificate(dependencies, by, template, createPublicKey(key));
    const server = createServer({ cert: certificateToPem(certificate), key: privateKeyToPem(key) }, (socket) =>
      socket.on('error', () => undefined),
    );
    servers.push(server);
    server.listen(0, ip);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  const ask = (port: number, clock = systemClock): Promise<Certificate | undefined> =>
    createKubeletProbe(clock)({ ip, port, authority: certificateToPem(authority.certificate) }, never);

  it('returns a certificate that the kubelet CA issued', async () => {
    const served = await ask(await serve(right));
    expect(served).toMatchObject({
      subject: { commonName: user, organizations: ['system:nodes'] },
      dnsNames: ['worker-1'],
      ipAddresses: [ip],
    });
  });

  it('returns nothing for a certificate of another CA', async () => {
    expect(await ask(await serve(right, other))).toBeUndefined();
  });

  it('returns nothing for a certificate of another address', async () => {
    expect(await ask(await serve(servingTemplate(user, ['worker-1', '10.0.0.9'])))).toBeUndefined();
  });

  it('returns nothing for an expired certificate', async () => {
    const port = await serve({ ...right, validityMs: 60_000 });
    expect(await ask(port, new VirtualClock(Date.now() + 3_600_000))).toBeUndefined();
  });

  it('returns nothing if no process listens', async () => {
    const server = createTcpServer().listen(0, ip);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    expect(await ask(port)).toBeUndefined();
  });

  it('times out and opens at most four connections at a time', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => undefined)).listen(0, ip);
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const clock = new VirtualClock(Date.now());
    const probe = createKubeletProbe(clock);
    const pem = certificateToPem(authority.certificate);
    const waiting = Array.from({ length: 4 }, () => probe({ ip, port, authority: pem }, never));
    expect(await probe({ ip, port: await serve(right), authority: pem }, never)).toBeUndefined();
    await clock.advance(30_001);
    expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined, undefined]);
    expect(await probe({ ip, port: await serve(right), authority: pem }, never)).toBeDefined();
    silent.close();
  });
});
