import { request, type RequestOptions } from 'node:https';

interface HttpsCall extends Pick<RequestOptions, 'method' | 'headers' | 'ca' | 'cert' | 'key' | 'servername'> {
  readonly allowPartialTrustChain?: boolean;
  readonly rejectUnauthorized?: boolean;
  readonly body?: string;
  /** Ends the call. Without a timeout of the caller, a server that does not respond blocks it forever. */
  readonly signal: AbortSignal;
  /** Larger responses fail. */
  readonly bytesMax: number;
}

interface HttpsAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends one request and returns the whole response. Redirects are not followed. */
export function httpsExchange(url: string, { body, bytesMax, ...options }: HttpsCall): Promise<HttpsAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(url, { ...options, minVersion: 'TLSv1.2' } as RequestOptions, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > bytesMax) response.destroy(new Error(`the response of ${url} is larger than ${bytesMax} bytes`));
        else chunks.push(chunk);
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}
