import type { BuiltinProvider } from '@slipway/clusterctl';
import type { ReadOperatorConfig } from '../configuration/operator-config.js';
import type { EmbeddedProviders } from '../embedded/embedded-providers.js';
import type { ObservePhase } from './provider-metrics.js';

/** Dependencies of the operator that its process provides. */
export interface OperatorDependencies {
  /** Built-in providers, which are installed without a network. */
  readonly builtin: readonly BuiltinProvider[];
  readonly readConfig: ReadOperatorConfig;
  /** Providers that run in this process, if any. */
  readonly embedded?: EmbeddedProviders;
  /** CA to trust in addition to the CAs of Node.js when fetching manifests. For tests. */
  readonly certificateAuthority?: string;
}

/** Dependencies of one controller. */
export interface ControllerDependencies extends OperatorDependencies {
  readonly observePhase: ObservePhase;
}
