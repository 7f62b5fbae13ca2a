import type { ProviderType } from '@slipway/clusterctl';

/** A provider whose controllers run in the process of the API server. */
export interface EmbeddedProvider {
  readonly name: string;
  readonly type: ProviderType;
  readonly version: string;
}

/** The providers of this process, and whether their controllers run. */
export interface EmbeddedProviders {
  find(provider: { readonly name: string; readonly type: ProviderType }): EmbeddedProvider | undefined;
  /** Starts or stops the controllers of one. Resolves when they run, or when the last of their work has ended. */
  setRunning(provider: EmbeddedProvider, running: boolean): Promise<void>;
}
