import { useEffect, useState } from 'preact/hooks';
import { browserClock } from '../clock/browser-clock.js';

/** The state of a page that was hidden: it is read again at once, so no warning is shown. */
export const resting = 'Loading changes.';

/** What the whole page knows of its connection: one line of it stands in the head of every page. */
export interface ConnectionState {
  /** '' while all is well. */
  readonly lost: string;
  /** Since when, in milliseconds. */
  readonly since: number;
}

let current: ConnectionState = { lost: '', since: 0 };
/** Every stream that the page has open, and why it is lost: one that is well says nothing of the others. */
const losses = new Map<object, string>();
const listeners = new Set<(state: ConnectionState) => void>();
let onSessionEnd: () => void = () => undefined;

export function noteConnection(stream: object, lost: string): void {
  losses.set(stream, lost);
  sumUp();
}

export function forgetConnection(stream: object): void {
  losses.delete(stream);
  sumUp();
}

function sumUp(): void {
  const all = [...losses.values()].filter((why) => why !== '');
  const lost = all.find((why) => why !== resting) ?? all[0] ?? '';
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
