import { boolean, bytes, dateTime, enumeration, int32, list, map, object, optional, string } from '@slipway/kube/kit';
import { authProvider } from '../shared.js';

const patchesV1Beta1 = object({
  directory: optional(string({ minLength: 1, maxLength: 512 })),
});

const nodeRegistrationV1Beta1 = object({
  criSocket: optional(string({ minLength: 1, maxLength: 512 })),
  ignorePreflightErrors: optional(list(string({ minLength: 1, maxLength: 512 }), { maxItems: 50 })),
  imagePullPolicy: optional(enumeration(['Always', 'IfNotPresent', 'Never'])),
  imagePullSerial: optional(boolean()),
  kubeletExtraArgs: optional(map(string())),
  name: optional(string({ minLength: 1, maxLength: 253 })),
  taints: optional(
    list(
      object({
        effect: string(),
        key: string(),
        timeAdded: optional(dateTime()),
        value: optional(string()),
      }),
      { maxItems: 100 },
    ),
  ),
});

const localApiEndpointV1Beta1 = object({
  advertiseAddress: optional(string({ minLength: 1, maxLength: 39 })),
  bindPort: optional(int32()),
});

export const initConfigurationV1Beta1 = object({
  apiVersion: optional(string()),
  bootstrapTokens: optional(
    list(
      object({
        description: optional(string({ minLength: 1, maxLength: 512 })),
        expires: optional(dateTime()),
        groups: optional(list(string({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
        token: string(),
        ttl: optional(string()),
        usages: optional(list(string({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
      }),
      { maxItems: 100 },
    ),
  ),
  kind: optional(string()),
  localAPIEndpoint: optional(localApiEndpointV1Beta1),
  nodeRegistration: optional(nodeRegistrationV1Beta1),
  patches: optional(patchesV1Beta1),
  skipPhases: optional(list(string({ minLength: 1, maxLength: 256 }), { maxItems: 50 })),
});

const discoveryV1Beta1 = object({
  bootstrapToken: optional(
    object({
      apiServerEndpoint: optional(string({ minLength: 1, maxLength: 512 })),
      caCertHashes: optional(list(string({ minLength: 1, maxLength: 512 }), { maxItems: 100 })),
      token: optional(string({ minLength: 1, maxLength: 512 })),
      unsafeSkipCAVerification: optional(boolean()),
    }),
  ),
  file: optional(
    object({
      kubeConfig: optional(
        object({
          cluster: optional(
            object({
              certificateAuthorityData: optional(bytes({ minLength: 1, maxLength: 51200 })),
              insecureSkipTLSVerify: optional(boolean()),
              proxyURL: optional(string({ minLength: 1, maxLength: 512 })),
              server: optional(string({ minLength: 1, maxLength: 512 })),
              tlsServerName: optional(string({ minLength: 1, maxLength: 512 })),
            }),
          ),
          user: object({
            authProvider: optional(authProvider),
            exec: optional(
              object({
                apiVersion: optional(string({ minLength: 1, maxLength: 512 })),
                args: optional(list(string({ minLength: 1, maxLength: 512 }), { maxItems: 100 })),
                command: string({ minLength: 1, maxLength: 1024 }),
                env: optional(
                  list(
                    object({
                      name: string({ minLength: 1, maxLength: 512 }),
                      value: string({ minLength: 1, maxLength: 512 }),
                    }),
                    { maxItems: 100 },
                  ),
                ),
                provideClusterInfo: optional(boolean()),
              }),
            ),
          }),
        }),
      ),
      kubeConfigPath: string({ minLength: 1, maxLength: 512 }),
    }),
  ),
  timeout: optional(string()),
  tlsBootstrapToken: optional(string({ minLength: 1, maxLength: 512 })),
});

export const joinConfigurationV1Beta1 = object({
  apiVersion: optional(string()),
  caCertPath: optional(string({ minLength: 1, maxLength: 512 })),
  controlPlane: optional(
    object({
      localAPIEndpoint: optional(localApiEndpointV1Beta1),
    }),
  ),
  discovery: optional(discoveryV1Beta1),
  kind: optional(string()),
  nodeRegistration: optional(nodeRegistrationV1Beta1),
  patches: optional(patchesV1Beta1),
  skipPhases: optional(list(string({ minLength: 1, maxLength: 256 }), { maxItems: 50 })),
});
