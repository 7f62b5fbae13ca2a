import type { ControllerContext } from '@slipway/runtime';
import type { ExtensionWorld } from './call-extension.js';
import { extensionMetrics } from './extension-metrics.js';
import { createHttpsTransport, type ExtensionTransport } from './https-transport.js';

/** How a controller calls extensions: over HTTPS unless told otherwise, and counted. */
export function extensionWorldOf(
  { clock, metrics }: Pick<ControllerContext, 'clock' | 'metrics'>,
  transport: ExtensionTransport = createHttpsTransport(),
): ExtensionWorld {
  return { clock, transport, observe: extensionMetrics(metrics) };
}
