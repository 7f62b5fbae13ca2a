import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import type { Connection } from '../contender.js';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether to keep the response body even if the request succeeds. */
  readonly keepText?: boolean;
}

export interface CallResult {
  readonly status: number;
  readonly bytes: number;
  /** The response body of a failed request, or of any request with `keepText`. */
  readonly text: string;
}

/** A minimal client, because it shares the cores with the measured server. */
export interface LoadClient {
  call(call: Call, done: (result: CallResult) => void): void;
  close(): void;
}

const connectionsMax = 4;

/** Opens an HTTP/2 client as Kubernetes clients do: few connections, many streams. */
export function openHttp2(connection: Connection, concurrency: number): LoadClient {
  const count = concurrency < connectionsMax ? 1 : connectionsMax;
  const sessions = Array.from({ length: count }, () => openSession(connection));
  let turn = 0;
  return {
    call: ({ method, path, headers, body, keepText }, done) => {
      turn = (turn + 1) % sessions.length;
      const session = sessions[turn] as ClientHttp2Session;
      const stream = session.request(
        { ':method': method, ':path': path, ...headers },
        { endStream: body === undefined },
      );
      collect(stream, keepText ?? false, done);
      if (body !== undefined) stream.end(body);
    },
    close: () => {
      for (const session of sessions) session.close();
    },
  };
}

export function openSession({ url, authority, certificate, key }: Connection): ClientHttp2Session {
  const session = connect(url, {
    ca: authority,
    cert: certificate,
    key,
    // Large windows, so that flow control of the client does not limit the server.
    settings: { initialWindowSize: 4 * 1024 * 1024 },
  });
  session.on('connect', () => session.setLocalWindowSize(64 * 1024 * 1024));
  return session;
}

function collect(stream: ClientHttp2Stream, keepText: boolean, done: (result: CallResult) => void): void {
  let status = 0;
  let bytes = 0;
  let text = '';
  stream.on('response', (headers) => {
    status = headers[':status'] ?? 0;
  });
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (keepText || status >= 300) text += chunk.toString('utf8');
  });
  stream.on('error', (error) => {
    text ||= String(error);
  });
  stream.on('close', () => done({ status, bytes, text }));
}

/** Opens an HTTP/1.1 client with one keep-alive connection per request in flight. */
export function openHttp1(connection: Connection, concurrency: number): LoadClient {
  const { authority: ca, certificate: cert, key } = connection;
  const agent = new Agent({ ca, cert, key, keepAlive: true, maxSockets: concurrency });
  const { hostname, port } = new URL(connection.url);
  return {
    call: ({ method, path, headers, body, keepText = false }, done) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const call = httpsRequest(
        { agent, hostname, port, method, path, headers: { ...headers, ...length } },
        (response) => {
          const status = response.statusCode ?? 0;
          let bytes = 0;
          let text = '';
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (keepText || status >= 300) text += chunk.toString('utf8');
          });
          response.on('end', () => done({ status, bytes, text }));
        },
      );
      call.on('error', (error) => done({ status: 0, bytes: 0, text: String(error) }));
      call.end(body);
    },
    close: () => agent.destroy(),
  };
}
