import type { Command } from 'commander';

/** The flag of the token webhook, with the name of kube-apiserver. */
export interface TokenWebhookFlags {
  readonly authenticationTokenWebhookConfigFile?: string;
}

export function addTokenWebhookOptions(command: Command): Command {
  return command.option(
    '--authentication-token-webhook-config-file <file>',
    'Kubeconfig of a webhook that authenticates bearer tokens by TokenReview (authentication.k8s.io/v1).',
  );
}
