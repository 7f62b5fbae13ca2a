import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { MachineProblem } from '../errors.js';

/** Returns the path of a file on this host, if the URL is a path or a `file:` URL. */
export function localPath(url: string): string | undefined {
  if (url.startsWith('/')) return url;
  return url.startsWith('file:') ? fileURLToPath(url) : undefined;
}

/** Number of consecutive connections without any data after which a download fails. */
const cutsWithoutProgressMax = 3;

/** Fetches a file and returns its SHA-256. An interrupted download resumes where it ended. */
export async function download(url: string, into: string, onProgress: (bytes: number) => void): Promise<string> {
  const state: Download = { bytes: 0, hash: createHash('sha256'), validator: undefined };
  for (let cuts = 0; ; ) {
    const before = state.bytes;
    try {
      await receive(url, into, state, onProgress);
      return state.hash.digest('hex');
    } catch (error) {
      cuts = state.bytes > before ? 1 : cuts + 1;
      const isFinal = error instanceof MachineProblem || localPath(url) !== undefined || isOfThisHost(error);
      if (isFinal || cuts >= cutsWithoutProgressMax) throw problemOf(url, error);
    }
  }
}

interface Download {
  bytes: number;
  hash: ReturnType<typeof createHash>;
  /** ETag or modification time of the file when the download began: data of a changed file must not be appended. */
  validator: string | undefined;
}

/** Downloads the rest of the file and counts the written bytes, from which the next connection continues. */
async function receive(url: string, into: string, state: Download, onProgress: (bytes: number) => void): Promise<void> {
  const source = await openSource(url, state);
  const file = await open(into, state.bytes === 0 ? 'w' : 'r+', 0o600);
  try {
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length; )
        at += (await file.write(chunk, at, chunk.length - at, state.bytes + at)).bytesWritten;
      state.hash.update(chunk);
      state.bytes += chunk.length;
      onProgress(state.bytes);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Opens the source lazily: it is read, and can fail, only when the caller iterates it. */
async function openSource(url: string, state: Download): Promise<AsyncIterable<Uint8Array>> {
  const path = localPath(url);
  if (path !== undefined) return contentsOf(path);
  const isAgain = state.bytes > 0 && state.validator !== undefined;
  const headers: Record<string, string> = isAgain
    ? { range: `bytes=${state.bytes}-`, 'if-range': state.validator ?? '' }
    : {};
  const response = await fetch(url, { redirect: 'follow', headers });
  if (!response.ok || response.body === null) {
    const reason = response.status === 404 ? 'ImageMissing' : 'ImageDownloadFailed';
    const message = `failed to download ${url}: ${response.status} ${response.statusText}`;
    throw new MachineProblem('ImageReady', reason, message);
  }
  if (response.status !== 206) {
    state.bytes = 0;
    state.hash = createHash('sha256');
  }
  state.validator = response.headers.get('etag') ?? response.headers.get('last-modified') ?? undefined;
  return response.body;
}

async function* contentsOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}

function isOfThisHost(error: unknown): boolean {
  return ['ENOSPC', 'EACCES', 'EROFS', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function problemOf(url: string, error: unknown): Error {
  if (error instanceof MachineProblem) return error;
  const { code, message, cause } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return new MachineProblem(
      'ImageReady',
      'ImageMissing',
      `${url} does not exist: upload the image, or correct the URL`,
    );
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new MachineProblem(
      'ImageReady',
      'InsufficientCapacity',
      `no space left on the host for ${url}: free disk space`,
    );
  const why = cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
  return new MachineProblem('ImageReady', 'ImageDownloadFailed', `failed to download ${url}: ${why}; retrying`);
}

/** Returns a string that distinguishes versions of a file on this host without reading the file. */
export async function versionOf(url: string): Promise<string> {
  const path = localPath(url);
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return found === undefined ? '' : `${found.size} ${found.mtimeMs}`;
}
