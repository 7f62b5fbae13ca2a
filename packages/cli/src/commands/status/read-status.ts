import { X509Certificate } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@slipway/base';
import { messageOf, onFile, systemCode } from '../../errors/index.js';
import { type DataDirectory, findInstance, type Instance, probe } from '../../instance/index.js';

/** Output of `slipway status -o json`. Stable: fields are added, not changed. */
export interface Status {
  readonly running: boolean;
  readonly ready: boolean;
  readonly dataDirectory: string;
  readonly dataBytes: number;
  readonly pid?: number;
  readonly endpoint?: string;
  readonly version?: string;
  readonly kubernetesVersion?: string;
  readonly apiOnly?: boolean;
  readonly kubeconfig?: string;
  readonly startedAt?: string;
  readonly uptimeSeconds?: number;
  /** Why the management plane is not ready. */
  readonly problem?: string;
  readonly certificates: readonly CertificateStatus[];
}

interface CertificateStatus {
  readonly name: string;
  readonly notAfter: string;
}

const probeTimeoutMs = 5_000;

export async function readStatus(directory: DataDirectory, clock: Clock): Promise<Status> {
  const instance = await findInstance(directory);
  const about = {
    dataDirectory: directory.root,
    dataBytes: await sizeOf(directory.store),
    certificates: await readCertificates(directory.pki),
  };
  if (instance === undefined) return { running: false, ready: false, ...about };
  const { run } = instance;
  return {
    running: true,
    ...(await readHealth(instance, directory, clock)),
    pid: instance.pid,
    ...(run === undefined
      ? {}
      : {
          endpoint: run.endpoint,
          version: run.version,
          apiOnly: run.apiOnly,
          kubeconfig: run.kubeconfig,
          startedAt: run.startedAt,
          uptimeSeconds: Math.max(0, Math.round((clock.now() - Date.parse(run.startedAt)) / 1_000)),
        }),
    ...about,
  };
}

type Health = Pick<Status, 'ready' | 'problem' | 'kubernetesVersion'>;

async function readHealth({ run }: Instance, directory: DataDirectory, clock: Clock): Promise<Health> {
  if (run === undefined) return { ready: false, problem: 'the management plane is starting or stopping' };
  try {
    const ca = await readFile(join(directory.pki, 'ca.crt'), 'utf8');
    const options = { endpoint: run.endpoint, ca, clock, timeoutMs: probeTimeoutMs };
    const readiness = await probe('/readyz?verbose', options);
    const version = JSON.parse((await probe('/version', options)).body) as { readonly gitVersion?: string };
    const level = { kubernetesVersion: version.gitVersion };
    if (readiness.status === 200) return { ready: true, ...level };
    const failed = readiness.body.split('\n').filter((line) => line.startsWith('[-]'));
    return { ready: false, problem: `failing checks: ${failed.join(', ') || readiness.status}`, ...level };
  } catch (error) {
    return { ready: false, problem: `unexpected response from ${run.endpoint}: ${messageOf(error)}` };
  }
}

async function readCertificates(pki: string): Promise<CertificateStatus[]> {
  const found: CertificateStatus[] = [];
  for (const name of ['ca', 'apiserver', 'admin']) {
    const text = await absentAsUndefined(() => readFile(join(pki, `${name}.crt`), 'utf8'));
    if (text !== undefined) found.push({ name, notAfter: new Date(new X509Certificate(text).validTo).toISOString() });
  }
  return found;
}

/** Returns the disk usage in blocks: the store's file is sparse, so its apparent size is meaningless. */
async function sizeOf(directory: string): Promise<number> {
  const names = await onFile('read', directory, () => absentAsUndefined(() => readdir(directory)));
  let bytes = 0;
  for (const name of names ?? []) {
    const found = await absentAsUndefined(() => stat(join(directory, name)));
    bytes += (found?.blocks ?? 0) * 512;
  }
  return bytes;
}

async function absentAsUndefined<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
