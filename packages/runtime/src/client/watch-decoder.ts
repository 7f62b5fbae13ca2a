import { deepFreeze, type Frozen, type JsonObject, type KubeObject, parseJsonValue } from '@slipway/kube';
import type { WatchEvent } from './client.js';
import { ConnectionError } from './connection-error.js';
import { isStatus } from './status-from-response.js';

/** Objects are at most a few MiB. A longer line is not a watch event. */
const lineBytesMax = 16 * 1024 * 1024;
const newline = 0x0a;

/** Splits a watch body into events. One chunk of bytes yields one batch, however many events it contains. */
export class WatchDecoder<T extends KubeObject> {
  #rest: Uint8Array[] = [];
  #restBytes = 0;
  readonly #transform: ((object: Frozen<T>) => Frozen<T>) | undefined;

  constructor(transform?: (object: Frozen<T>) => Frozen<T>) {
    this.#transform = transform;
  }

  decode(chunk: Uint8Array): WatchEvent<T>[] {
    const events: WatchEvent<T>[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = this.#complete(chunk.subarray(start, end));
      start = end + 1;
      if (line.length > 0) events.push(this.#event(line));
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return events;
  }

  /** Returns the last events. Throws if the body ended within a line, because then it was truncated. */
  finish(): WatchEvent<T>[] {
    if (this.#restBytes === 0) return [];
    return [this.#event(this.#complete(new Uint8Array()))];
  }

  #event(line: Uint8Array): WatchEvent<T> {
    const event = decodeEvent<T>(line);
    if (this.#transform === undefined || !('object' in event)) return event;
    return { ...event, object: this.#transform(event.object) };
  }

  #keep(part: Uint8Array): void {
    this.#restBytes += part.length;
    if (this.#restBytes > lineBytesMax)
      throw new ConnectionError('protocol', `a watch event is longer than ${lineBytesMax} bytes`);
    this.#rest.push(part);
  }

  #complete(last: Uint8Array): Uint8Array {
    if (this.#restBytes === 0) return last;
    const line = Buffer.concat([...this.#rest, last]);
    this.#rest = [];
    this.#restBytes = 0;
    return line;
  }
}

function decodeEvent<T extends KubeObject>(line: Uint8Array): WatchEvent<T> {
  let event: JsonObject;
  try {
    event = parseJsonValue(line) as JsonObject;
  } catch (error) {
    throw new ConnectionError(
      'protocol',
      `unable to decode an event from the watch stream: ${(error as Error).message}`,
      { cause: error },
    );
  }
  const object = event['object'];
  switch (event['type']) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: event['type'], object: deepFreeze(object) as Frozen<T> };
    case 'BOOKMARK':
      return decodeBookmark(object as unknown as KubeObject);
    case 'ERROR':
      if (isStatus(object)) return { type: 'ERROR', status: object };
      break;
    default:
  }
  throw new ConnectionError('protocol', `unexpected watch event type ${JSON.stringify(event['type'] ?? null)}`);
}

function decodeBookmark<T>(object: KubeObject): WatchEvent<T> {
  const { resourceVersion = '', annotations } = object.metadata;
  const initialEventsEnd = annotations !== undefined && annotations['k8s.io/initial-events-end'] === 'true';
  return { type: 'BOOKMARK', resourceVersion, initialEventsEnd };
}
