import type { BuiltinProvider } from '@slipway/clusterctl';
import type { ReadOperatorConfig } from '../configuration/operator-config.js';
import type { EmbeddedProviders } from '../embedded/embedded-providers.js';
import type { ObservePhase } from './provider-metrics.js';

/** What the operator is told by whoever runs it. */
export interface OperatorWorld {
  /** Providers that this program brings along: they are installed without a network. */
  readonly builtin: readonly BuiltinProvider[];
  readonly readConfig: ReadOperatorConfig;
  /** Providers that run in this very process, if it has any. */
  readonly embedded?: EmbeddedProviders;
  /** Trusted beside the authorities of Node when manifests are fetched: for tests. */
  readonly certificateAuthority?: string;
}

/** The same, within a controller. */
export interface ControllerWorld extends OperatorWorld {
  readonly observePhase: ObservePhase;
}
