import {
  atomicList,
  boolean,
  bytes,
  dateTime,
  enumeration,
  int32,
  list,
  object,
  optional,
  string,
} from '@slipway/kube/kit';
import { authProvider } from '../shared.js';
import { extraArgs } from './cluster-configuration.js';

const patches = object(
  {
    directory: optional(string({ minLength: 1, maxLength: 512 })),
  },
  { minProperties: 1 },
);

const nodeRegistration = object(
  {
    criSocket: optional(string({ minLength: 1, maxLength: 512 })),
    ignorePreflightErrors: optional(
      atomicList(string({ minLength: 1, maxLength: 512 }), { minItems: 1, maxItems: 50 }),
    ),
    imagePullPolicy: optional(enumeration(['Always', 'IfNotPresent', 'Never'])),
    imagePullSerial: optional(boolean()),
    kubeletExtraArgs: optional(extraArgs),
    name: optional(string({ minLength: 1, maxLength: 253 })),
    taints: optional(
      list(
        object({
          effect: string(),
          key: string(),
          timeAdded: optional(dateTime()),
          value: optional(string()),
        }),
        { minItems: 0, maxItems: 100 },
      ),
    ),
  },
  { description: 'How the Node registers itself.', minProperties: 1 },
);

const localApiEndpoint = object(
  {
    advertiseAddress: optional(string({ minLength: 1, maxLength: 39 })),
    bindPort: optional(int32({ minimum: 1 })),
  },
  { minProperties: 1 },
);

const timeouts = object(
  {
    controlPlaneComponentHealthCheckSeconds: optional(int32({ minimum: 0 })),
    discoverySeconds: optional(int32({ minimum: 0 })),
    etcdAPICallSeconds: optional(int32({ minimum: 0 })),
    kubeletHealthCheckSeconds: optional(int32({ minimum: 0 })),
    kubernetesAPICallSeconds: optional(int32({ minimum: 0 })),
    tlsBootstrapSeconds: optional(int32({ minimum: 0 })),
  },
  { description: 'How long kubeadm waits for what.', minProperties: 1 },
);

export const initConfiguration = object(
  {
    bootstrapTokens: optional(
      atomicList(
        object({
          description: optional(string({ minLength: 1, maxLength: 512 })),
          expires: optional(dateTime()),
          groups: optional(atomicList(string({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 100 })),
          token: string({ minLength: 1, maxLength: 23 }),
          ttlSeconds: optional(int32({ minimum: 0 })),
          usages: optional(atomicList(string({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 100 })),
        }),
        { minItems: 1, maxItems: 100 },
      ),
    ),
    localAPIEndpoint: optional(localApiEndpoint),
    nodeRegistration: optional(nodeRegistration),
    patches: optional(patches),
    skipPhases: optional(atomicList(string({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 50 })),
    timeouts: optional(timeouts),
  },
  { description: 'What kubeadm is told on the first control plane machine.', minProperties: 1 },
);

const discovery = object(
  {
    bootstrapToken: optional(
      object(
        {
          apiServerEndpoint: optional(string({ minLength: 1, maxLength: 512 })),
          caCertHashes: optional(atomicList(string({ minLength: 1, maxLength: 512 }), { minItems: 1, maxItems: 100 })),
          token: optional(string({ minLength: 1, maxLength: 512 })),
          unsafeSkipCAVerification: optional(boolean()),
        },
        { minProperties: 1 },
      ),
    ),
    file: optional(
      object({
        kubeConfig: optional(
          object({
            cluster: optional(
              object(
                {
                  certificateAuthorityData: optional(bytes({ minLength: 1, maxLength: 51200 })),
                  insecureSkipTLSVerify: optional(boolean()),
                  proxyURL: optional(string({ minLength: 1, maxLength: 512 })),
                  server: optional(string({ minLength: 1, maxLength: 512 })),
                  tlsServerName: optional(string({ minLength: 1, maxLength: 512 })),
                },
                { minProperties: 1 },
              ),
            ),
            user: object(
              {
                authProvider: optional(authProvider),
                exec: optional(
                  object({
                    apiVersion: optional(string({ minLength: 1, maxLength: 512 })),
                    args: optional(
                      atomicList(string({ minLength: 1, maxLength: 512 }), { minItems: 1, maxItems: 100 }),
                    ),
                    command: string({ minLength: 1, maxLength: 1024 }),
                    env: optional(
                      atomicList(
                        object({
                          name: string({ minLength: 1, maxLength: 512 }),
                          value: string({ minLength: 1, maxLength: 512 }),
                        }),
                        { minItems: 1, maxItems: 100 },
                      ),
                    ),
                    provideClusterInfo: optional(boolean()),
                  }),
                ),
              },
              { minProperties: 1 },
            ),
          }),
        ),
        kubeConfigPath: string({ minLength: 1, maxLength: 512 }),
      }),
    ),
    tlsBootstrapToken: optional(string({ minLength: 1, maxLength: 512 })),
  },
  { description: 'How a joining machine finds and trusts the cluster.', minProperties: 1 },
);

export const joinConfiguration = object(
  {
    caCertPath: optional(string({ minLength: 1, maxLength: 512 })),
    controlPlane: optional(
      object({
        localAPIEndpoint: optional(localApiEndpoint),
      }),
    ),
    discovery: optional(discovery),
    nodeRegistration: optional(nodeRegistration),
    patches: optional(patches),
    skipPhases: optional(atomicList(string({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 50 })),
    timeouts: optional(timeouts),
  },
  { description: 'What kubeadm is told on every further machine.', minProperties: 1 },
);
