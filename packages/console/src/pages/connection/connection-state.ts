import { useEffect, useState } from 'preact/hooks';
import { browserClock } from '../clock/browser-clock.js';

/** The error text of a page that was hidden. The page immediately loads its data again, so no warning is shown. */
export const suspended = 'Loading changes.';

/** The connection state of the page, shown in the header. */
export interface ConnectionState {
  /** Why the connection is lost; '' while connected. */
  readonly lost: string;
  /** Time at which the connection was lost, in milliseconds since the epoch. */
  readonly since: number;
}

let current: ConnectionState = { lost: '', since: 0 };
/**
 * The open streams of the page with their errors. Kept by stream, so that a working stream does not clear the error of another
 * one.
 */
const errors = new Map<object, string>();
const listeners = new Set<(state: ConnectionState) => void>();
let onSessionEnd: () => void = () => undefined;

export function reportConnection(stream: object, lost: string): void {
  errors.set(stream, lost);
  updateState();
}

export function forgetConnection(stream: object): void {
  errors.delete(stream);
  updateState();
}

function updateState(): void {
  const all = [...errors.values()].filter((why) => why !== '');
  const lost = all.find((why) => why !== suspended) ?? all[0] ?? '';
  if (lost === current.lost) return;
  current = { lost, since: current.lost === '' ? browserClock.now() : current.since };
  for (const listener of listeners) listener(current);
}

export function useConnection(): ConnectionState {
  const [state, setState] = useState(current);
  useEffect(() => {
    listeners.add(setState);
    setState(current);
    return () => void listeners.delete(setState);
  }, []);
  return state;
}

export function whenSessionEnds(callback: () => void): void {
  onSessionEnd = callback;
}

export function sessionEnded(): void {
  onSessionEnd();
}
