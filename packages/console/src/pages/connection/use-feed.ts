import { useEffect, useState } from 'preact/hooks';
import { type Frame, patched } from '../../model/frame.js';
import { browserClock } from '../clock/browser-clock.js';
import { readSession } from './api.js';
import { forgetConnection, reportConnection, suspended, sessionEnded } from './connection-state.js';

export interface FeedState<View> {
  readonly view: View | undefined;
  /** Why the value may be outdated; '' while it is live. */
  readonly lost: string;
  /** Why the object no longer exists; '' while it exists. */
  readonly gone: string;
}

const emptyState = { view: undefined, lost: '', gone: '' };
/** Silence after which the connection counts as lost. The server sends a heartbeat every ten seconds. */
const silenceMsMax = 25_000;
const retryMs = { first: 500, last: 5_000 };

/**
 * Subscribes to a live view: the complete value, then differences. Reports a lost connection and reconnects without limit. A
 * hidden page closes its connection: over HTTP/1.1 a browser opens only six per host for all tabs, and a seventh page would not
 * load.
 */
export function useFeed<View>(query: string): FeedState<View> {
  const [state, setState] = useState<FeedState<View>>(emptyState);
  useEffect(() => {
    setState(emptyState);
    const connection = new FeedConnection<View>(`/console/api/stream?${query}`, setState);
    return () => connection.close();
  }, [query]);
  return state;
}

type Update<View> = (change: (state: FeedState<View>) => FeedState<View>) => void;

class FeedConnection<View> {
  #source: EventSource | undefined;
  #timer: { cancel(): void } | undefined;
  #waitMs = retryMs.first;
  #isClosed = false;
  readonly #reconnectNow = (): void => {
    if (this.#source === undefined && this.#mayConnect()) this.#open();
  };
  readonly #onVisibilityChange = (): void => (document.hidden ? this.#suspend() : this.#reconnectNow());

  constructor(
    private readonly url: string,
    private readonly update: Update<View>,
  ) {
    window.addEventListener('online', this.#reconnectNow);
    document.addEventListener('visibilitychange', this.#onVisibilityChange);
    this.#reconnectNow();
  }

  close(): void {
    this.#isClosed = true;
    forgetConnection(this);
    window.removeEventListener('online', this.#reconnectNow);
    document.removeEventListener('visibilitychange', this.#onVisibilityChange);
    this.#timer?.cancel();
    this.#source?.close();
  }

  #mayConnect(): boolean {
    return !this.#isClosed && !document.hidden;
  }

  #open(): void {
    this.#timer?.cancel();
    const source = new EventSource(this.url);
    this.#source = source;
    source.onmessage = ({ data }) => this.#applyFrame(JSON.parse(data as string) as Frame<View>);
    source.addEventListener('beat', () => this.#restartSilenceTimer());
    source.onerror = () => this.#lose('The console does not respond.');
    this.#restartSilenceTimer();
  }

  #applyFrame(frame: Frame<View>): void {
    this.#restartSilenceTimer();
    this.#waitMs = retryMs.first;
    if ('lost' in frame) this.update((state) => ({ ...state, lost: frame.lost }));
    else if ('gone' in frame) this.update(() => ({ view: undefined, lost: '', gone: frame.gone }));
    else if ('whole' in frame) this.update(() => ({ view: frame.whole, lost: '', gone: '' }));
    else
      this.update((state) =>
        state.view === undefined ? state : { view: patched(state.view, frame.patch), lost: '', gone: '' },
      );
    reportConnection(this, 'lost' in frame ? frame.lost : '');
  }

  #restartSilenceTimer(): void {
    this.#timer?.cancel();
    this.#timer = browserClock.setTimer(silenceMsMax, () => this.#lose('No data received from the console.'));
  }

  #lose(why: string): void {
    this.#source?.close();
    this.#source = undefined;
    if (this.#isClosed) return;
    this.update((state) => ({ ...state, lost: why }));
    reportConnection(this, why);
    this.#timer?.cancel();
    this.#timer = browserClock.setTimer(this.#waitMs, () => void this.#retry());
    this.#waitMs = Math.min(this.#waitMs * 2, retryMs.last);
  }

  /** Disconnects until the page is visible again. The data is outdated until the first frame arrives. */
  #suspend(): void {
    this.#timer?.cancel();
    this.#source?.close();
    this.#source = undefined;
    this.#waitMs = retryMs.first;
    this.update((state) => (state.view === undefined ? state : { ...state, lost: suspended }));
    reportConnection(this, suspended);
  }

  /** Checks whether the session has ended before reconnecting: EventSource does not report the status of a rejected request. */
  async #retry(): Promise<void> {
    try {
      const { user } = await readSession();
      if (user === null) sessionEnded();
      else this.#reconnectNow();
    } catch {
      if (this.#mayConnect()) this.#lose('The console does not respond.');
    }
  }
}
