import { resolve } from 'node:path';
import type { TokenWebhook } from '@slipway/apiserver';
import { connectionOf, KubeconfigError, loadKubeconfig } from '@slipway/runtime';
import { CliError, exitCodes } from '../errors/index.js';
import type { TokenWebhookFlags } from '../options/token-webhook-options.js';
import { webhookSender } from './webhook-sender.js';

/** The default of kube-apiserver. */
const cacheMs = 120_000;

/** Reads the kubeconfig of `--authentication-token-webhook-config-file`. Returns undefined if the flag is not set. */
export function readTokenWebhook(flags: TokenWebhookFlags): TokenWebhook | undefined {
  const { authenticationTokenWebhookConfigFile: file } = flags;
  if (file === undefined) return undefined;
  try {
    const send = webhookSender(connectionOf(loadKubeconfig({ file: resolve(file) }), { env: process.env }));
    return {
      review: async (body, signal) => JSON.parse(await send(JSON.stringify(body), signal)) as unknown,
      cacheMs,
    };
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new CliError(`--authentication-token-webhook-config-file: ${error.message}`, {
      exitCode: exitCodes.usage,
      cause: error,
    });
  }
}
