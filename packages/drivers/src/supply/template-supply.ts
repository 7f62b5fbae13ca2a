import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@slipway/base';
import type { Reader } from '@slipway/runtime';
import { DriverError } from '../api/index.js';
import { shippedManifest } from '../manifests/index.js';
import type { MatrixEntry } from '../matrix/index.js';
import type { Template } from '../render/index.js';
import type { FetchDocument } from './fetch-document.js';
import { readConfigMapFile } from './read-config-map.js';

/** Loads the templates of drivers from the locations in the matrix. They are cached, because a version does not change. */
export class TemplateSupply {
  readonly #fetch: FetchDocument;
  readonly #logger: Logger;
  readonly #cached = new Map<string, string>();

  constructor(fetch: FetchDocument, logger: Logger) {
    this.#fetch = fetch;
    this.#logger = logger;
  }

  async templatesOf(entry: MatrixEntry, base: string, read: Reader, signal: AbortSignal): Promise<Template[]> {
    const templates: Template[] = [];
    for (const [place, path] of entry.deploymentPath.entries()) {
      const source = resolvePath(path, base);
      templates.push({ source, text: await this.#read(source, entry.sha256?.[place], read, signal) });
    }
    return templates;
  }

  async #read(source: string, sha256: string | undefined, read: Reader, signal: AbortSignal): Promise<string> {
    const key = `${source} ${sha256 ?? ''}`;
    const cached = this.#cached.get(key);
    if (cached !== undefined) return cached;
    const text = await this.#load(new URL(source), read, signal);
    if (sha256 !== undefined) checkDigest(text, sha256, source);
    this.#logger.info({ source }, 'Read template');
    // Files in the cluster are not cached, because they can change under the same name.
    if (!source.startsWith('configmap:') && !source.startsWith('file:')) this.#cached.set(key, text);
    return text;
  }

  async #load(url: URL, read: Reader, signal: AbortSignal): Promise<string> {
    switch (url.protocol) {
      case 'bundle:':
        return shipped(`${url.host}${url.pathname}`);
      case 'configmap:': {
        const [name = '', ...file] = url.pathname.slice(1).split('/');
        return readConfigMapFile(read, { namespace: url.host, name }, file.join('/'), signal);
      }
      case 'file:':
        return readLocal(url);
      case 'http:':
      case 'https:':
        if (url.protocol === 'http:') this.#logger.warn({ source: url.href }, 'Downloading a template over plain HTTP');
        return this.#download(url.href, signal);
      default:
        throw new DriverError(
          'TemplateUnavailable',
          `${url.href}: unsupported scheme ${url.protocol}, must be https, http, file, configmap or bundle`,
        );
    }
  }

  async #download(url: string, signal: AbortSignal): Promise<string> {
    const { status, text } = await this.#fetch(url, { signal });
    if (status !== 200) throw new DriverError('TemplateUnavailable', `${url} returned status ${status}`);
    return text;
  }
}

export function checkDigest(text: string, sha256: string, source: string): void {
  const found = createHash('sha256').update(text).digest('hex');
  if (found !== sha256.toLowerCase())
    throw new DriverError('ChecksumMismatch', `${source} has the SHA-256 ${found} instead of ${sha256}`);
}

/** Resolves a path of a matrix. Paths that are not URLs are relative to the matrix. */
function resolvePath(path: string, base: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return path;
  if (base === '')
    throw new DriverError(
      'TemplateUnavailable',
      `${path} is a relative path, which is only supported in a matrix with a URL`,
    );
  return new URL(path, base).href;
}

function shipped(path: string): string {
  const found = shippedManifest(path);
  if (found === undefined) throw new DriverError('TemplateUnavailable', `${path} is not built into this operator`);
  return found;
}

async function readLocal(url: URL): Promise<string> {
  try {
    return await readFile(fileURLToPath(url), 'utf8');
  } catch (error) {
    throw new DriverError('TemplateUnavailable', `${url.href} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
