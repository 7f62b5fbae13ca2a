import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { OpensslAuthority } from './openssl-certificates.js';

export interface Review {
  readonly path: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** Returns the JSON patch for the response of a mutating webhook. */
export type PatchOf = (review: Review) => readonly unknown[] | undefined;

/** A webhook over TLS that allows everything and records its requests. */
export class RecordingWebhook {
  readonly reviews: Review[] = [];
  readonly #folder: string;
  readonly #server: Server;
  readonly #authority: OpensslAuthority;

  private constructor(folder: string, authority: OpensslAuthority, server: Server) {
    this.#folder = folder;
    this.#authority = authority;
    this.#server = server;
  }

  /** Starts a webhook that answers after `delayMs`. */
  static async start(patchOf: PatchOf, delayMs = 0): Promise<RecordingWebhook> {
    const folder = mkdtempSync(`${tmpdir()}/recording-webhook-`);
    const authority = new OpensslAuthority(folder, 'webhook-ca');
    const { certificateFile, keyFile } = authority.issue('webhook', '/CN=webhook', ['subjectAltName=IP:127.0.0.1']);
    const server = createServer({ cert: readFileSync(certificateFile), key: readFileSync(keyFile) });
    const webhook = new RecordingWebhook(folder, authority, server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { request: Record<string, unknown> };
        response.setHeader('content-type', 'application/json');
        const answer = webhook.#answer({ path: request.url ?? '', request: body.request }, patchOf);
        setTimeout(() => response.end(answer), delayMs);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return webhook;
  }

  clientConfig(path: string): { readonly url: string; readonly caBundle: string } {
    const { port } = this.#server.address() as AddressInfo;
    const caBundle = readFileSync(this.#authority.certificateFile).toString('base64');
    return { url: `https://127.0.0.1:${port}${path}`, caBundle };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #answer(review: Review, patchOf: PatchOf): string {
    this.reviews.push(review);
    const operations = patchOf(review);
    const patch =
      operations === undefined
        ? {}
        : { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
    return JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: review.request['uid'], allowed: true, ...patch },
    });
  }
}
