import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, open, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify } from '@slipway/base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { download } from './download.js';
import { ImageStore, type StoredFile, type RequiredFile } from './image-store.js';
import { pruneImages } from './prune-images.js';

// The tests use files of kind boot, which need no qemu-img.
const content = Buffer.from('kernel '.repeat(50_000));
const sha256 = createHash('sha256').update(content).digest('hex');

let server: Server;
let url: string;
let requests: IncomingMessage[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let folder: string;
let store: ImageStore;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/vmlinuz`;
});
afterAll(() => server.close());
beforeEach(async () => {
  requests = [];
  answer = (_, response) => response.setHeader('etag', '"one"').end(content);
  // The directory is in memory, because these tests do not depend on durable writes.
  folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'images-'));
  store = new ImageStore(join(folder, 'images'));
  return () => rmSync(folder, { recursive: true, force: true });
});

const boot = (more: Partial<RequiredFile> = {}): RequiredFile => ({ kind: 'boot', url, sha256: undefined, ...more });
const files = (): string[] => readdirSync(join(folder, 'images')).filter((name) => name !== 'sources');

/** Requests the image again after every change notification, as the machine controller does. */
async function fetched(desired: RequiredFile, from = store): Promise<StoredFile> {
  for (;;) {
    let reported: () => void = () => undefined;
    const change = new Promise<void>((resolve) => (reported = resolve));
    const found = await from.ensure(desired, reported);
    if ('path' in found) return found;
    await change;
  }
}

describe('the image store', () => {
  it('uses local files only below the configured directories, also through symbolic links and ..', async () => {
    const [allowed, secret] = [join(folder, 'allowed'), join(folder, 'secret')];
    await mkdir(allowed);
    await writeFile(join(allowed, 'vmlinuz'), content);
    await writeFile(secret, content);
    await symlink(secret, join(allowed, 'link'));
    const limited = new ImageStore(join(folder, 'images'), [allowed]);
    await fetched(boot({ url: `file://${allowed}/vmlinuz` }), limited);
    for (const path of [secret, `file://${secret}`, `${allowed}/../secret`, `${allowed}/link`, `${allowed}-not/x`]) {
      await expect(limited.ensure(boot({ url: path }), () => undefined)).rejects.toThrow('is not below a directory');
    }
  });

  it('downloads in the background, once for all requests [kvm 41]', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    answer = (_, response) => void gate.then(() => response.end(content));
    const reported: string[] = [];
    const both = ['first', 'second'].map((name) => store.ensure(boot(), () => reported.push(name)));
    // Both calls return before any data has arrived.
    expect(await Promise.all(both)).toEqual([{ bytes: 0 }, { bytes: 0 }]);
    const third = fetched(boot());
    release();
    const { path } = await third;
    expect(content.equals(readFileSync(path))).toBe(true);
    expect(reported.sort()).toEqual(['first', 'second']);
    expect(requests).toHaveLength(1);
  });

  it('never changes a stored image: other contents are another file [kvm 22]', async () => {
    const source = join(folder, 'vmlinuz');
    writeFileSync(source, 'one');
    const first = await fetched(boot({ url: source }));
    writeFileSync(source, 'another');
    const second = await fetched(boot({ url: `file://${source}` }));
    expect(readFileSync(first.path, 'utf8')).toBe('one');
    expect(readFileSync(second.path, 'utf8')).toBe('another');
    expect(first.path).not.toBe(second.path);
    expect(statSync(first.path).mode & 0o777).toBe(0o444);
  });

  it('resumes a download where the connection was cut', async () => {
    let [cutAt, cut] = [Number.POSITIVE_INFINITY, (): void => undefined];
    answer = ({ headers }, response) => {
      const from = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
      response.writeHead(headers.range === undefined ? 200 : 206, { etag: '"one"' });
      if (requests.length === 4) return void response.end(content.subarray(from));
      // Cut the connection after the client has written the received data: unread data of a busy client would be lost.
      [cutAt, cut] = [from + 100_000, () => void response.destroy()];
      response.write(content.subarray(from, cutAt));
    };
    const path = join(folder, 'vmlinuz');
    expect(await download(url, path, (bytes) => bytes >= cutAt && cut())).toBe(sha256);
    expect(content.equals(readFileSync(path))).toBe(true);
    const resumed = { 'if-range': '"one"' };
    expect(requests.slice(1).map(({ headers }) => headers)).toMatchObject([
      { ...resumed, range: 'bytes=100000-' },
      { ...resumed, range: 'bytes=200000-' },
      { ...resumed, range: 'bytes=300000-' },
    ]);
  });

  it('restarts a download when the file has changed', async () => {
    answer = (_, response) => {
      if (requests.length > 1) return void response.writeHead(200, { etag: '"two"' }).end('another');
      response.writeHead(200, { etag: '"one"', 'content-length': content.length });
      response.write(content.subarray(0, 100_000), () => response.destroy());
    };
    const { path } = await fetched(boot());
    expect(readFileSync(path, 'utf8')).toBe('another');
  });

  it.each([
    {
      name: 'has an unexpected checksum',
      desired: { sha256: 'a'.repeat(64) },
      reason: 'ImageChecksumMismatch',
      expected: `has checksum sha256:${sha256}, expected sha256:${'a'.repeat(64)}`,
    },
    {
      name: 'does not exist',
      respond: (_: IncomingMessage, response: ServerResponse) => response.writeHead(404).end(),
      reason: 'ImageMissing',
      expected: '404',
    },
    {
      name: 'comes from a failing server',
      respond: (_: IncomingMessage, response: ServerResponse) => response.writeHead(503).end(),
      reason: 'ImageDownloadFailed',
      expected: '503',
    },
    {
      name: 'is never sent',
      respond: (_: IncomingMessage, response: ServerResponse) => response.destroy(),
      reason: 'ImageDownloadFailed',
      expected: 'retrying',
    },
  ])(
    'leaves no part of a file that $name, reports the error, and retries',
    async ({ desired, respond, reason, expected }) => {
      if (respond !== undefined) answer = respond;
      await expect(fetched(boot(desired))).rejects.toMatchObject({
        reason,
        message: expect.stringContaining(expected),
      });
      expect(files()).toEqual([]);
      answer = (_, response) => response.end(content);
      expect(content.equals(readFileSync((await fetched(boot({ sha256 }))).path))).toBe(true);
    },
  );

  it('reports a missing local file, even if its target is slow to open', async () => {
    const missing = join(folder, 'missing.raw');
    // Opening a pipe for writing blocks until the reader opens it, which is after the check for a missing file.
    const target = join(folder, 'pipe');
    execFileSync('mkfifo', [target]);
    const reported = download(missing, target, () => undefined).catch((error: unknown) => error);
    for (let attempt = 0; attempt < 10; attempt++) await expect(stat(missing)).rejects.toThrow('ENOENT');
    const reader = await open(target, 'r');
    expect(await reported).toMatchObject({ reason: 'ImageMissing' });
    await reader.close();
  });

  it.runIf(existsSync('/dev/full'))('reports that the disk of the host is full', async () => {
    // Every write to /dev/full fails like a write to a full disk.
    await expect(download(url, '/dev/full', () => undefined)).rejects.toMatchObject({
      reason: 'InsufficientCapacity',
      message: `no space left on the host for ${url}: free disk space`,
    });
  });

  it('removes files of killed processes, and keeps those of running ones', async () => {
    mkdirSync(join(folder, 'images'));
    const { startTime, bootId } = (await identify(process.pid)) ?? {};
    const dead = `.fetch-${process.pid}_1_${bootId ?? ''}_x`;
    const alive = `.fetch-${process.pid}_${startTime ?? ''}_${bootId ?? ''}_x`;
    for (const name of [dead, alive]) writeFileSync(join(folder, 'images', name), '');
    const { path } = await fetched(boot());
    expect(files().map((name) => join(folder, 'images', name))).toEqual([join(folder, 'images', alive), path]);
  });

  it('prunes images without a machine and without a name', async () => {
    const source = join(folder, 'vmlinuz');
    const stored: string[] = [];
    for (const text of ['machine', 'being made', 'named', 'unused']) {
      writeFileSync(source, text);
      stored.push((await fetched(boot({ url: source }))).path);
    }
    const [ofMachine = '', ofNext = '', named = '', unused = ''] = stored;
    for (const [name, path] of [
      ['1', ofMachine],
      ['2.x.new', ofNext],
    ] as const) {
      mkdirSync(join(folder, 'machines', name), { recursive: true });
      writeFileSync(join(folder, 'machines', name, 'spec.json'), JSON.stringify({ images: [path] }));
    }
    mkdirSync(join(folder, 'images/named'));
    writeFileSync(join(folder, 'images/named/debian.json'), JSON.stringify({ disk: named }));
    expect(await pruneImages(folder)).toEqual({ removed: [unused], bytes: 'unused'.length });
    expect(await pruneImages(folder)).toEqual({ removed: [], bytes: 0 });
    // The image can be downloaded again.
    expect((await fetched(boot({ url: source }))).path).toBe(unused);
  });
});
