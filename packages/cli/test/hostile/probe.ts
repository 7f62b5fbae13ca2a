import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { parse } from 'yaml';

export interface Sample {
  readonly status: number;
  readonly ms: number;
}

/** An administrator that measures the server: writes a ConfigMap and reads `/readyz` at a fixed rate. */
export class Probe {
  readonly writes: Sample[] = [];
  readonly readiness: Sample[] = [];

  private constructor(private readonly session: ClientHttp2Session) {}

  static open(kubeconfig: string): Probe {
    const { endpoint, ca, cert, key } = credentialsOf(kubeconfig);
    const session = connect(endpoint, { ca, cert, key });
    session.on('error', () => undefined);
    return new Probe(session);
  }

  close(): void {
    this.session.destroy();
  }

  /** Measures for a time. Requests start at fixed times, also while earlier ones are not answered. */
  async measure(durationMs: number, intervalMs: number): Promise<void> {
    const open: Promise<void>[] = [];
    const startedAt = performance.now();
    for (let index = 0; index * intervalMs < durationMs; index += 1) {
      await sleepUntil(startedAt + index * intervalMs);
      open.push(this.#write(), this.#ready());
    }
    await Promise.all(open);
  }

  async #write(): Promise<void> {
    const metadata = { generateName: 'probe-' };
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    this.writes.push(await this.send('POST', '/api/v1/namespaces/default/configmaps', body));
  }

  async #ready(): Promise<void> {
    this.readiness.push(await this.send('GET', '/readyz'));
  }

  /** Sends a request and measures the time until the response is complete. Status 0 means that the request failed. */
  send(method: string, path: string, body?: object): Promise<Sample & { readonly text: string }> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const stream = this.session.request({
        ':method': method,
        ':path': path,
        'content-type': 'application/json',
      });
      let [status, text] = [0, ''];
      stream.on('error', () => undefined);
      stream.on('response', (headers) => (status = Number(headers[':status'])));
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      stream.on('close', () => resolve({ status, text, ms: performance.now() - startedAt }));
      stream.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

/** Returns the endpoint and the TLS files of the kubeconfig of an administrator, in PEM. */
export function credentialsOf(file: string): Record<'endpoint' | 'ca' | 'cert' | 'key', string> {
  const { clusters, users } = parse(readFileSync(file, 'utf8')) as Kubeconfig;
  const [cluster, user] = [clusters.at(-1)?.cluster ?? {}, users.at(-1)?.user ?? {}];
  const decoded = (text = ''): string => Buffer.from(text, 'base64').toString();
  return {
    endpoint: cluster['server'] ?? '',
    ca: decoded(cluster['certificate-authority-data']),
    cert: decoded(user['client-certificate-data']),
    key: decoded(user['client-key-data']),
  };
}

async function sleepUntil(at: number): Promise<void> {
  const ms = at - performance.now();
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

export function percentile(samples: readonly Sample[], part: number): number {
  const sorted = samples.map(({ ms }) => ms).toSorted((left, right) => left - right);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
}

/** Returns the resident memory of a process in MiB. */
export function memoryOf(pid: number): number {
  const [, kibibytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kibibytes) / 1_024);
}
