import { connect } from 'node:net';

const answerTimeoutMs = 5_000;

/** Says one line to HAProxy and gives back what it says. Undefined when nobody listens there. */
export function askHaproxy(socketPath: string, line: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: socketPath });
    let text = '';
    let isConnected = false;
    socket.setTimeout(answerTimeoutMs, () => socket.destroy(new Error(`HAProxy does not answer "${line}"`)));
    socket.once('connect', () => {
      isConnected = true;
      socket.end(`${line}\n`);
    });
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // A process that reloads leaves the connection as it is: whoever asks looks at the result.
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
      else if (isConnected && error.code !== undefined) resolve(text);
      else reject(error);
    });
    socket.once('close', () => resolve(text));
  });
}
