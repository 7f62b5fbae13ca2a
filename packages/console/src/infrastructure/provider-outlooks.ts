import type { Clock } from '@slipway/base';
import { StatusError } from '@slipway/kube';
import type { Client } from '@slipway/runtime';
import { Refusal } from '../http/message.js';
import type { ProviderOutlook } from '../model/infrastructure.js';

/** Reads the available upgrades of the installed providers with the user's client. Makes no network requests unless allowed. */
export type ReadOutlooks = (
  client: Client,
  options: { readonly mayFetch: boolean; readonly signal: AbortSignal },
) => Promise<readonly ProviderOutlook[]>;

const patienceMs = 30_000;

/** Where people ask for newer versions of providers. Repositories elsewhere are asked for one of them at a time, and not for long. */
export class OutlookDesk {
  #isFetching = false;

  constructor(private readonly options: { readonly read: ReadOutlooks; readonly clock: Clock }) {}

  /** What is known here. */
  known(client: Client): Promise<readonly ProviderOutlook[]> {
    return this.#read(client, false);
  }

  /** What the repositories say that the configuration names. */
  async fetch(client: Client, leaving: AbortSignal): Promise<readonly ProviderOutlook[]> {
    if (this.#isFetching)
      throw new Refusal(429, 'the repositories are already being checked for another user', 'try again in a moment');
    this.#isFetching = true;
    try {
      return await this.#read(client, true, leaving);
    } catch (error) {
      if (error instanceof Refusal || error instanceof StatusError) throw error;
      throw new Refusal(502, `cannot check for newer versions: ${(error as Error).message}`);
    } finally {
      this.#isFetching = false;
    }
  }

  async #read(client: Client, mayFetch: boolean, leaving?: AbortSignal): Promise<readonly ProviderOutlook[]> {
    const { clock, read } = this.options;
    const patience = new AbortController();
    const late = new Refusal(504, `no response within ${patienceMs / 1_000} seconds`);
    const timer = clock.setTimer(patienceMs, () => patience.abort(late));
    const signal = leaving === undefined ? patience.signal : AbortSignal.any([patience.signal, leaving]);
    try {
      return await read(client, { mayFetch, signal });
    } finally {
      timer.cancel();
    }
  }
}

/** The available upgrades of the current providers. Read again when the providers change and when a page is opened. */
export class KnownOutlooks {
  #list: readonly ProviderOutlook[] = [];
  #askedFor: string | undefined;
  #isAsking = false;

  constructor(
    private readonly read: (() => Promise<readonly ProviderOutlook[]>) | undefined,
    private readonly onChange: () => void,
  ) {}

  /** `state` changes with the providers. */
  of(state: string): readonly ProviderOutlook[] {
    if (this.read !== undefined && state !== this.#askedFor && !this.#isAsking) this.#ask(this.read, state);
    return this.#list;
  }

  refresh(): void {
    this.#askedFor = undefined;
  }

  #ask(read: () => Promise<readonly ProviderOutlook[]>, state: string): void {
    this.#isAsking = true;
    this.#askedFor = state;
    read()
      .then(
        (list) => {
          this.#list = list;
        },
        // The lists themselves say what cannot be read; the next look tries again.
        () => this.refresh(),
      )
      .finally(() => {
        this.#isAsking = false;
        this.onChange();
      });
  }
}
