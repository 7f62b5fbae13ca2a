import type { Clock } from '@slipway/base';
import { StatusError } from '@slipway/kube';
import type { Client } from '@slipway/runtime';
import { HttpError } from '../http/message.js';
import type { ProviderOutlook } from '../model/infrastructure.js';

/**
 * Reads the available upgrades of the installed providers with the user's client. Makes no network requests unless `mayFetch` is
 * set.
 */
export type ReadOutlooks = (
  client: Client,
  options: { readonly mayFetch: boolean; readonly signal: AbortSignal },
) => Promise<readonly ProviderOutlook[]>;

const timeoutMs = 30_000;

/** Checks for newer versions of providers. Remote repositories are read for one user at a time, with a timeout. */
export class OutlookReader {
  #isFetching = false;

  constructor(private readonly options: { readonly read: ReadOutlooks; readonly clock: Clock }) {}

  /** Returns the upgrades that are known without network requests. */
  readLocal(client: Client): Promise<readonly ProviderOutlook[]> {
    return this.#read(client, false);
  }

  /** Also reads the remote repositories of the configuration. */
  async fetch(client: Client, caller: AbortSignal): Promise<readonly ProviderOutlook[]> {
    if (this.#isFetching)
      throw new HttpError(429, 'the repositories are already being checked for another user', 'try again in a moment');
    this.#isFetching = true;
    try {
      return await this.#read(client, true, caller);
    } catch (error) {
      if (error instanceof HttpError || error instanceof StatusError) throw error;
      throw new HttpError(502, `cannot check for newer versions: ${(error as Error).message}`);
    } finally {
      this.#isFetching = false;
    }
  }

  async #read(client: Client, mayFetch: boolean, caller?: AbortSignal): Promise<readonly ProviderOutlook[]> {
    const { clock, read } = this.options;
    const timeout = new AbortController();
    const timeoutError = new HttpError(504, `no response within ${timeoutMs / 1_000} seconds`);
    const timer = clock.setTimer(timeoutMs, () => timeout.abort(timeoutError));
    const signal = caller === undefined ? timeout.signal : AbortSignal.any([timeout.signal, caller]);
    try {
      return await read(client, { mayFetch, signal });
    } finally {
      timer.cancel();
    }
  }
}

/** The available upgrades of the current providers. They are read again when the providers change and when a page is opened. */
export class CurrentOutlooks {
  #list: readonly ProviderOutlook[] = [];
  #readFor: string | undefined;
  #isReading = false;

  constructor(
    private readonly read: (() => Promise<readonly ProviderOutlook[]>) | undefined,
    private readonly onChange: () => void,
  ) {}

  /** Returns the last upgrades that were read. `state` identifies the installed providers: a new value triggers a read. */
  of(state: string): readonly ProviderOutlook[] {
    if (this.read !== undefined && state !== this.#readFor && !this.#isReading) this.#start(this.read, state);
    return this.#list;
  }

  refresh(): void {
    this.#readFor = undefined;
  }

  #start(read: () => Promise<readonly ProviderOutlook[]>, state: string): void {
    this.#isReading = true;
    this.#readFor = state;
    read()
      .then(
        (list) => {
          this.#list = list;
        },
        // Retry at the next call. The page already shows which lists cannot be read.
        () => this.refresh(),
      )
      .finally(() => {
        this.#isReading = false;
        this.onChange();
      });
  }
}
