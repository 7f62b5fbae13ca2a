import type { ControllerContext } from '@slipway/runtime';
import type { ExtensionDependencies } from './call-extension.js';
import { extensionMetrics } from './extension-metrics.js';
import { createHttpsTransport, type ExtensionTransport } from './https-transport.js';

/** Returns the client with which a controller calls extensions: over HTTPS by default, with metrics. */
export function extensionDependencies(
  { clock, metrics }: Pick<ControllerContext, 'clock' | 'metrics'>,
  transport: ExtensionTransport = createHttpsTransport(),
): ExtensionDependencies {
  return { clock, transport, observe: extensionMetrics(metrics) };
}
