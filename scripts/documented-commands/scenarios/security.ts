import type { Scenario } from '../scenario.js';

/** Scenario of a management plane that several teams share. */
export const security: Scenario = {
  title: 'security of a shared management plane',
  steps: [
    {
      command: 'slipway up --audit-policy-file audit-policy.yaml --audit-log-path audit.log',
      before: 'cp "$DOCUMENTATION"/samples/audit-policy.yaml .',
      until: /Stop +Ctrl-C/,
    },
    // Before the encryption: these planes have no keys.
    {
      command: 'slipway up --authentication-config authentication.yaml',
      before:
        'printf \'{apiVersion: apiserver.config.k8s.io/v1, kind: AuthenticationConfiguration, jwt: [{issuer: {url: "https://login.example.com", audiences: [slipway]}, claimMappings: {username: {claim: email, prefix: "oidc:"}}}]}\' >authentication.yaml',
      until: /Stop +Ctrl-C/,
    },
    {
      command: 'slipway up --authentication-config authentication.yaml --console-oidc-client-id=slipway',
      until: /Stop +Ctrl-C/,
    },
    { command: 'slipway up --api-only --controllers=none', until: /Stop +Ctrl-C/ },
    {
      command: 'slipway storage rewrite --encryption-provider-config encryption.yaml',
      before:
        'printf \'{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: [secrets], providers: [{secretbox: {keys: [{name: key1, secret: "%s"}]}}, {identity: {}}]}]}\' "$(head -c 32 /dev/urandom | base64)" >encryption.yaml',
    },
    { command: 'slipway up --encryption-provider-config encryption.yaml', until: /Stop +Ctrl-C/ },
  ],
};
