import { get } from 'node:https';
import type { Clock } from '@slipway/base';

export interface ProbeOptions {
  readonly endpoint: string;
  /** CA certificate in PEM. */
  readonly ca: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

export interface ProbeAnswer {
  readonly status: number;
  readonly body: string;
}

const bodyBytesMax = 65_536;

/** Sends an unauthenticated request to an instance, for its public endpoints. */
export function probe(path: string, options: ProbeOptions): Promise<ProbeAnswer> {
  return new Promise((resolve, reject) => {
    const request = get(`${options.endpoint}${path}`, { ca: options.ca, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > bodyBytesMax) request.destroy(new Error('the response is too large'));
        else chunks.push(chunk);
      });
      response.on('end', () => {
        deadline.cancel();
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      });
    });
    const deadline = options.clock.setTimer(options.timeoutMs, () => {
      request.destroy(new Error(`no response within ${options.timeoutMs / 1_000} s`));
    });
    request.on('error', (error) => {
      deadline.cancel();
      reject(error);
    });
  });
}
