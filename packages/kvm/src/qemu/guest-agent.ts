import { type Clock, sleep } from '@slipway/base';
import { connectSocket, lineLengthMax } from './qmp-client.js';
import { parseQmpMessage, type QmpMessage } from './qmp-message.js';

const answerTimeoutMs = 2_000;

/** Returns whether a file exists in the guest, or undefined if the guest agent does not respond. */
export async function guestHasFile(socketPath: string, path: string, clock: Clock): Promise<boolean | undefined> {
  const open = { execute: 'guest-file-open', arguments: { path, mode: 'r' } };
  const answer = await askGuest(socketPath, JSON.stringify(open), clock);
  if (answer === undefined) return undefined;
  if (answer.return === undefined) return false;
  const close = { execute: 'guest-file-close', arguments: { handle: answer.return } };
  await askGuest(socketPath, JSON.stringify(close), clock);
  return true;
}

/** Synchronizes the clock of a resumed guest, so that certificates validate. Returns false if the agent does not respond. */
export async function setGuestTime(socketPath: string, clock: Clock): Promise<boolean> {
  const time = { execute: 'guest-set-time', arguments: { time: `${Math.floor(clock.now())}000000` } };
  // The number is inserted as text, because nanoseconds since the epoch exceed the safe integer range.
  const answer = await askGuest(socketPath, JSON.stringify(time).replace(/"(\d+)"/, '$1'), clock);
  return answer !== undefined && answer.error === undefined;
}

/** Sends one request on a separate connection. guest-sync with a random ID skips stale responses in the channel. */
async function askGuest(socketPath: string, question: string, clock: Clock): Promise<QmpMessage | undefined> {
  let socket;
  try {
    socket = await connectSocket(socketPath);
  } catch {
    return undefined;
  }
  const abort = new AbortController();
  try {
    const mark = Math.floor(clock.monotonic()) % 1_000_000_000;
    const answers = new Promise<QmpMessage>((resolve) => {
      let rest = '';
      let isSynced = false;
      socket.setEncoding('utf8');
      socket.on('data', (text: string) => {
        rest += text;
        const lines = rest.split('\n');
        rest = lines.pop() ?? '';
        if (rest.length > lineLengthMax) socket.destroy();
        for (const line of lines) {
          const answer = parseQmpMessage(line);
          if (isSynced && answer !== undefined) resolve(answer);
          if (answer?.return === mark) isSynced = true;
        }
      });
    });
    socket.on('error', () => socket.destroy());
    const gone = new Promise<undefined>((resolve) => socket.once('close', () => resolve(undefined)));
    socket.write(`${JSON.stringify({ execute: 'guest-sync', arguments: { id: mark } })}\n${question}\n`);
    const late = sleep(clock, answerTimeoutMs, { signal: abort.signal }).then(() => undefined);
    late.catch(() => undefined);
    return await Promise.race([answers, gone, late]);
  } finally {
    abort.abort(new Error('answered'));
    socket.destroy();
  }
}
