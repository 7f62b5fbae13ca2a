import type { Clock, Logger, Random } from '@slipway/base';
import { formatTime, isReason } from '@slipway/kube';
import { configMaps, ifPresent, type Writer } from '@slipway/runtime';
import { DriverError, matrixCacheConfigMap } from '../api/index.js';
import { type Matrix, parseMatrix, shippedMatrixText } from '../matrix/index.js';
import type { FetchDocument } from './fetch-document.js';
import type { MatrixOrigin } from './matrix-origin.js';
import { readConfigMapFile } from './read-config-map.js';
import { checkDigest } from './template-supply.js';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface SuppliedMatrix {
  readonly matrix: Matrix;
  /** URL or path to which paths in the matrix are relative. */
  readonly base: string;
  /** Why the matrix is outdated. Undefined if it is current. */
  readonly stale?: string;
  readonly loadedMs: number;
  readonly from: string;
}

export interface MatrixSupplyOptions {
  readonly namespace: string;
  readonly fetch: FetchDocument;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly pollMs?: number;
}

/** Reads objects of the cluster, and stores the last valid matrix. */
type MatrixWriter = Pick<Writer, 'read' | 'change'>;

const pollMsDefault = 6 * 3_600_000;
const retryMsFirst = 30_000;
const retryMsMax = 1_800_000;

interface Held {
  readonly origin: string;
  readonly supplied: SuppliedMatrix;
  readonly etag: string | undefined;
}

/**
 * Supplies the matrix. The last valid matrix is kept if the server is unreachable or returns something else, and is
 * stored in a ConfigMap, so that it is available after a restart.
 */
export class MatrixSupply {
  readonly #options: MatrixSupplyOptions;
  #held: Held | undefined;
  #nextMs = 0;
  #retryMs = retryMsFirst;
  #problem: string | undefined;

  constructor(options: MatrixSupplyOptions) {
    this.#options = options;
  }

  /** Time until the matrix is polled again. Undefined for sources that are not polled. */
  get nextPollMs(): number | undefined {
    return this.#nextMs === 0 ? undefined : Math.max(1_000, this.#nextMs - this.#options.clock.now());
  }

  async get(origin: MatrixOrigin, writer: MatrixWriter, signal: AbortSignal): Promise<SuppliedMatrix> {
    const identity = JSON.stringify(origin);
    if (this.#held?.origin !== identity) {
      this.#nextMs = 0;
      this.#retryMs = retryMsFirst;
      this.#problem = undefined;
    }
    if (origin.type !== 'url') return this.#local(origin, identity, writer, signal);
    const isHeld = this.#held?.origin === identity;
    if (this.#options.clock.now() >= this.#nextMs) await this.#poll(origin, identity, writer, signal);
    else if (!isHeld && this.#problem !== undefined) throw new DriverError('MatrixUnavailable', this.#problem);
    const held = this.#held as Held;
    return this.#problem === undefined ? held.supplied : { ...held.supplied, stale: this.#problem };
  }

  async #local(
    origin: Exclude<MatrixOrigin, { type: 'url' }>,
    identity: string,
    writer: MatrixWriter,
    signal: AbortSignal,
  ): Promise<SuppliedMatrix> {
    // A ConfigMap is always read, because its content can change under the same name. For other sources the identity includes the
    // content.
    if (this.#held?.origin === identity && origin.type !== 'config-map') return this.#held.supplied;
    const text = await this.#textOf(origin, writer, signal);
    if (origin.type !== 'shipped' && origin.sha256 !== undefined) checkDigest(text, origin.sha256, origin.from);
    return this.#hold(identity, text, '', origin.from, undefined);
  }

  #textOf(origin: Exclude<MatrixOrigin, { type: 'url' }>, writer: MatrixWriter, signal: AbortSignal): Promise<string> {
    if (origin.type === 'text') return Promise.resolve(origin.text);
    if (origin.type === 'shipped') return Promise.resolve(shippedMatrixText());
    const { namespace } = this.#options;
    return readConfigMapFile(writer.read, { namespace, name: origin.name }, origin.key, signal);
  }

  async #poll(
    origin: MatrixOrigin & { type: 'url' },
    identity: string,
    writer: MatrixWriter,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, random, logger } = this.#options;
    const isHeld = this.#held?.origin === identity;
    try {
      const fetched = await this.#fetch(origin, isHeld ? this.#held?.etag : undefined, signal);
      if (fetched !== undefined) {
        if (origin.sha256 !== undefined) checkDigest(fetched.text, origin.sha256, origin.url);
        const supplied = this.#hold(identity, fetched.text, origin.url, origin.from, fetched.etag);
        await this.#remember(origin.url, fetched.text, writer);
        logger.info({ source: origin.url, revision: supplied.matrix.revision }, 'Read compatibility matrix');
      }
      this.#problem = undefined;
      this.#retryMs = retryMsFirst;
      const pollMs = this.#options.pollMs ?? pollMsDefault;
      this.#nextMs = clock.now() + pollMs * (0.9 + random.next() * 0.2);
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      this.#problem = `${origin.from}: ${error.message}`;
      this.#nextMs = clock.now() + this.#retryMs;
      this.#retryMs = Math.min(this.#retryMs * 2, retryMsMax);
      logger.warn({ source: origin.url, reason: error.reason }, 'Failed to read the compatibility matrix');
      if (isHeld) return;
      const remembered = await this.#recall(origin, identity, writer, signal);
      if (!remembered)
        throw new DriverError(
          error.reason === 'TemplateUnavailable' ? 'MatrixUnavailable' : error.reason,
          this.#problem,
        );
    }
  }

  async #fetch(
    { url }: MatrixOrigin & { type: 'url' },
    etag: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly etag: string | undefined } | undefined> {
    if (url.startsWith('file:')) return { text: await readLocal(url), etag: undefined };
    const { status, text, etag: next } = await this.#options.fetch(url, { etag, signal });
    if (status === 304) return undefined;
    if (status !== 200) throw new DriverError('MatrixUnavailable', `${url} returned status ${status}`);
    return { text, etag: next };
  }

  #hold(identity: string, text: string, base: string, from: string, etag: string | undefined): SuppliedMatrix {
    // The matrix is validated first: an HTML page of a proxy must not replace the last valid matrix.
    const supplied = { matrix: parseMatrix(text), base, from, loadedMs: this.#options.clock.now() };
    this.#held = { origin: identity, supplied, etag };
    return supplied;
  }

  async #remember(url: string, text: string, writer: MatrixWriter): Promise<void> {
    const { namespace, clock, logger } = this.#options;
    const key = { namespace, name: matrixCacheConfigMap };
    const configuration = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...key },
      data: { url, content: text, time: formatTime(clock.now()) },
    };
    try {
      await writer.change({
        verb: 'apply',
        resource: configMaps,
        key,
        configuration,
        fieldManager: 'vdo',
        reason: 'MatrixUpdated',
        message: 'Stored the downloaded compatibility matrix, so that it is available after a restart',
      });
    } catch (error) {
      // Other failures are only logged, such as a matrix that is too large or a forbidden write: the copy is only needed for
      // restarts while the server is unreachable.
      if (isReason(error, 'NotFound')) throw error;
      logger.warn(
        { err: error },
        'Failed to store the compatibility matrix: it is not available after a restart while its server is unreachable',
      );
    }
  }

  async #recall(
    origin: MatrixOrigin & { type: 'url' },
    identity: string,
    writer: MatrixWriter,
    signal: AbortSignal,
  ): Promise<boolean> {
    const key = { namespace: this.#options.namespace, name: matrixCacheConfigMap };
    const found = await ifPresent(writer.read.get(configMaps, key, { signal }));
    const text = found?.data?.['url'] === origin.url ? found.data['content'] : undefined;
    if (text === undefined) return false;
    this.#hold(identity, text, origin.url, origin.from, undefined);
    return true;
  }
}

async function readLocal(url: string): Promise<string> {
  try {
    return await readFile(fileURLToPath(url), 'utf8');
  } catch (error) {
    throw new DriverError('MatrixUnavailable', `${url} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
