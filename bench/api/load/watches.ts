import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { type LoadClient, openHttp2, openSession } from './client.js';
import type { HoldWatches, WatchProbe, WatchProbeResult } from './protocol.js';
import { quantile } from './statistics.js';

/** Measures watch delays. Each watcher has its own connection, as separate programs do. */
export async function probeWatches(probe: WatchProbe): Promise<WatchProbeResult> {
  const sessions = Array.from({ length: probe.watchers }, () => openSession(probe.connection));
  const latencies: number[] = [];
  let sentAt = 0;
  let awaited: string | undefined;
  let missing = 0;
  let allSeen = (): void => undefined;
  const onLine = (line: string): void => {
    if (awaited === undefined || !line.includes(awaited)) return;
    latencies.push(performance.now() - sentAt);
    missing -= 1;
    if (missing === 0) allSeen();
  };
  const client = openHttp2(probe.connection, 1);
  const path = `${probe.collection}?watch=true&resourceVersion=${await newestVersion(client, probe.collection)}`;
  await Promise.all(sessions.map((session) => openWatch(session, path, onLine)));
  for (let number = probe.first; number < probe.first + probe.writes; number += 1) {
    awaited = `"name":"watched-${number}"`;
    missing = probe.watchers;
    const seen = new Promise<void>((resolve) => {
      allSeen = resolve;
    });
    const body = probe.body.replace('{n}', String(number));
    sentAt = performance.now();
    const call = { method: 'POST', path: probe.collection, headers: { 'content-type': 'application/json' }, body };
    client.call(call, () => undefined);
    await seen;
  }
  client.close();
  for (const session of sessions) session.destroy();
  return { medianMs: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) };
}

/** Returns the resourceVersion from which a watch receives only new events. */
function newestVersion(client: LoadClient, collection: string): Promise<string> {
  return new Promise((resolve) => {
    const call = {
      method: 'GET',
      path: `${collection}?limit=1`,
      headers: { accept: 'application/json' },
      keepText: true,
    };
    client.call(call, ({ text }) => {
      const list = JSON.parse(text) as { readonly metadata: { readonly resourceVersion: string } };
      resolve(list.metadata.resourceVersion);
    });
  });
}

/** Opens a watch, and resolves when the response headers arrive. Each event is one line of JSON. */
function openWatch(session: ClientHttp2Session, path: string, onLine: (line: string) => void): Promise<void> {
  const stream: ClientHttp2Stream = session.request({ ':path': path, accept: 'application/json' });
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    stream.once('response', (headers) =>
      headers[':status'] === 200 ? resolve() : reject(new Error(`watch of ${path}: ${headers[':status']}`)),
    );
  });
}

const held: ClientHttp2Session[] = [];
const watchesPerConnection = 100;

export async function holdWatches({ connection, path, count }: HoldWatches): Promise<void> {
  const opening: Promise<void>[] = [];
  for (let opened = 0; opened < count; opened += watchesPerConnection) {
    const session = openSession(connection);
    held.push(session);
    for (let index = opened; index < Math.min(count, opened + watchesPerConnection); index += 1)
      opening.push(openWatch(session, `${path}?watch=true`, () => undefined));
  }
  await Promise.all(opening);
}

export function dropWatches(): void {
  for (const session of held.splice(0)) session.destroy();
}
