import {
  ensureServerIdentity,
  type IdentityFiles,
  type IdentityDependencies,
  memoryIdentityFiles,
  type ServerIdentity,
} from '@slipway/apiserver';
import { type Logger, silentLogger, systemRandom, VirtualClock } from '@slipway/base';
import { type CertificateAndKey, KeyPool } from '@slipway/pki';
import { expect, it } from 'vitest';
import { startCertificateRenewal } from './certificate-renewal.js';

const dayMs = 86_400_000;

interface Trial {
  readonly clock: VirtualClock;
  readonly texts: Map<string, string>;
  readonly served: CertificateAndKey[];
  readonly admins: ServerIdentity[];
  readonly problems: string[];
  readonly stop: () => void | Promise<void>;
}

async function start(ageDays: number, files?: Partial<IdentityFiles>): Promise<Trial> {
  const clock = new VirtualClock();
  const texts = new Map<string, string>();
  const memory = memoryIdentityFiles(texts);
  const dependencies: IdentityDependencies = { clock, random: systemRandom, keys: new KeyPool(), files: memory };
  await ensureServerIdentity(dependencies);
  await clock.advance(ageDays * dayMs);
  const served: CertificateAndKey[] = [];
  const admins: ServerIdentity[] = [];
  const problems: string[] = [];
  const logger: Logger = { ...silentLogger, error: (_fields, message) => void problems.push(message) };
  const renewal = startCertificateRenewal({
    dependencies: { ...dependencies, files: { ...memory, ...files } },
    hosts: [],
    server: { replaceServingCertificate: (serving) => void served.push(serving) },
    clock,
    logger,
    onAdmin: (identity) => Promise.resolve(void admins.push(identity)),
  });
  return { clock, texts, served, admins, problems, stop: () => renewal.dispose() };
}

it('replaces the certificates of the running server when a third of their validity is left', async () => {
  const { clock, served, admins, stop } = await start(238);
  await clock.advance(2 * dayMs);
  expect(served).toEqual([]);
  const renewals = async (): Promise<number> => {
    await clock.advance(dayMs);
    return admins.length;
  };
  await expect.poll(renewals, { interval: 1 }).toBe(1);
  expect(served).toHaveLength(1);
  expect(served[0]?.certificate.notAfter).toBeGreaterThan(clock.now() + 300 * dayMs);
  await stop();
});

it('retries after a failed renewal until stopped', async () => {
  const { clock, problems, stop } = await start(0, { read: () => Promise.reject(new Error('disk is gone')) });
  await clock.advance(dayMs);
  await expect.poll(() => problems).toEqual(['Failed to renew certificates; retrying in 24 hours']);
  await clock.advance(dayMs);
  await expect.poll(() => problems.length).toBe(2);
  await stop();
  await clock.advance(10 * dayMs);
  expect(problems).toHaveLength(2);
});
