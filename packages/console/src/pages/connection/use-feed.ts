import { useEffect, useState } from 'preact/hooks';
import { type Frame, patched } from '../../model/frame.js';
import { browserClock } from '../clock/browser-clock.js';
import { readSession } from './api.js';
import { forgetConnection, noteConnection, resting, sessionEnded } from './connection-state.js';

export interface FeedState<View> {
  readonly view: View | undefined;
  /** Why what is shown may be old; '' while it is live. */
  readonly lost: string;
  /** Set when the object no longer exists. */
  readonly gone: string;
}

const nothing = { view: undefined, lost: '', gone: '' };
/** The server says something every ten seconds. */
const silenceMsMax = 25_000;
const retryMs = { first: 500, last: 5_000 };

/**
 * A live view: the complete value, then differences. Reports a lost connection and reconnects without limit. A hidden page
 * closes its connection: over HTTP/1.1 a browser opens only six per host for all tabs, and a seventh page would not load.
 */
export function useFeed<View>(query: string): FeedState<View> {
  const [state, setState] = useState<FeedState<View>>(nothing);
  useEffect(() => {
    setState(nothing);
    const follower = new Follower<View>(`/console/api/stream?${query}`, setState);
    return () => follower.close();
  }, [query]);
  return state;
}

type Update<View> = (change: (state: FeedState<View>) => FeedState<View>) => void;

class Follower<View> {
  #source: EventSource | undefined;
  #timer: { cancel(): void } | undefined;
  #waitMs = retryMs.first;
  #isClosed = false;
  readonly #hurry = (): void => {
    if (this.#source === undefined && this.#isWanted()) this.#open();
  };
  readonly #look = (): void => (document.hidden ? this.#rest() : this.#hurry());

  constructor(
    private readonly url: string,
    private readonly update: Update<View>,
  ) {
    window.addEventListener('online', this.#hurry);
    document.addEventListener('visibilitychange', this.#look);
    this.#hurry();
  }

  close(): void {
    this.#isClosed = true;
    forgetConnection(this);
    window.removeEventListener('online', this.#hurry);
    document.removeEventListener('visibilitychange', this.#look);
    this.#timer?.cancel();
    this.#source?.close();
  }

  #isWanted(): boolean {
    return !this.#isClosed && !document.hidden;
  }

  #open(): void {
    this.#timer?.cancel();
    const source = new EventSource(this.url);
    this.#source = source;
    source.onmessage = ({ data }) => this.#take(JSON.parse(data as string) as Frame<View>);
    source.addEventListener('beat', () => this.#heard());
    source.onerror = () => this.#lose('The console does not respond.');
    this.#heard();
  }

  #take(frame: Frame<View>): void {
    this.#heard();
    this.#waitMs = retryMs.first;
    if ('lost' in frame) this.update((state) => ({ ...state, lost: frame.lost }));
    else if ('gone' in frame) this.update(() => ({ view: undefined, lost: '', gone: frame.gone }));
    else if ('whole' in frame) this.update(() => ({ view: frame.whole, lost: '', gone: '' }));
    else
      this.update((state) =>
        state.view === undefined ? state : { view: patched(state.view, frame.patch), lost: '', gone: '' },
      );
    noteConnection(this, 'lost' in frame ? frame.lost : '');
  }

  #heard(): void {
    this.#timer?.cancel();
    this.#timer = browserClock.setTimer(silenceMsMax, () => this.#lose('No data received from the console.'));
  }

  #lose(why: string): void {
    this.#source?.close();
    this.#source = undefined;
    if (this.#isClosed) return;
    this.update((state) => ({ ...state, lost: why }));
    noteConnection(this, why);
    this.#timer?.cancel();
    this.#timer = browserClock.setTimer(this.#waitMs, () => void this.#again());
    this.#waitMs = Math.min(this.#waitMs * 2, retryMs.last);
  }

  /** Disconnects until the page is visible again; the data is outdated until the first frame. */
  #rest(): void {
    this.#timer?.cancel();
    this.#source?.close();
    this.#source = undefined;
    this.#waitMs = retryMs.first;
    this.update((state) => (state.view === undefined ? state : { ...state, lost: resting }));
    noteConnection(this, resting);
  }

  /** A stream that is refused does not say why: the session may have ended. */
  async #again(): Promise<void> {
    try {
      const { user } = await readSession();
      if (user === null) sessionEnded();
      else this.#hurry();
    } catch {
      if (this.#isWanted()) this.#lose('The console does not respond.');
    }
  }
}
