import {
  boolean,
  bytes,
  dateTime,
  enumeration,
  int32,
  list,
  map,
  object,
  optional,
  refine,
  string,
} from '@slipway/kube/kit';
import { authProvider } from '../shared.js';
import { nodeConfigurationTexts } from '../texts/node-configuration.js';

const patchesV1Beta1 = object(
  {
    directory: optional(string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.directory })),
  },
  { description: nodeConfigurationTexts.patchesV1Beta1 },
);

const nodeRegistrationV1Beta1 = object(
  {
    criSocket: optional(string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.criSocket })),
    ignorePreflightErrors: optional(
      list(string({ minLength: 1, maxLength: 512 }), {
        maxItems: 50,
        description: nodeConfigurationTexts.ignorePreflightErrors,
      }),
    ),
    imagePullPolicy: optional(
      enumeration(['Always', 'IfNotPresent', 'Never'], { description: nodeConfigurationTexts.imagePullPolicy }),
    ),
    imagePullSerial: optional(boolean({ description: nodeConfigurationTexts.imagePullSerial })),
    kubeletExtraArgs: optional(map(string(), { description: nodeConfigurationTexts.kubeletExtraArgs })),
    name: optional(
      string({ minLength: 1, maxLength: 253, description: nodeConfigurationTexts.nodeRegistrationV1Beta1Name }),
    ),
    taints: optional(
      list(
        object({
          effect: string({ description: nodeConfigurationTexts.taintsEffect }),
          key: string({ description: nodeConfigurationTexts.taintsKey }),
          timeAdded: optional(dateTime({ description: nodeConfigurationTexts.taintsTimeAdded })),
          value: optional(string({ description: nodeConfigurationTexts.taintsValue })),
        }),
        { maxItems: 100, description: nodeConfigurationTexts.taints },
      ),
    ),
  },
  { description: nodeConfigurationTexts.nodeRegistrationV1Beta1 },
);

const localApiEndpointV1Beta1 = object(
  {
    advertiseAddress: optional(
      string({ minLength: 1, maxLength: 39, description: nodeConfigurationTexts.advertiseAddress }),
    ),
    bindPort: optional(int32({ description: nodeConfigurationTexts.bindPort })),
  },
  { description: nodeConfigurationTexts.localApiEndpointV1Beta1 },
);

export const initConfigurationV1Beta1 = object(
  {
    apiVersion: optional(string({ description: nodeConfigurationTexts.apiVersion })),
    bootstrapTokens: optional(
      list(
        object({
          description: optional(
            string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.bootstrapTokensDescription }),
          ),
          expires: optional(dateTime({ description: nodeConfigurationTexts.expires })),
          groups: optional(
            list(string({ minLength: 1, maxLength: 256 }), {
              maxItems: 100,
              description: nodeConfigurationTexts.bootstrapTokensGroups,
            }),
          ),
          token: string({ description: nodeConfigurationTexts.bootstrapTokensToken }),
          ttl: optional(string({ description: nodeConfigurationTexts.ttl })),
          usages: optional(
            list(string({ minLength: 1, maxLength: 256 }), {
              maxItems: 100,
              description: nodeConfigurationTexts.usages,
            }),
          ),
        }),
        { maxItems: 100, description: nodeConfigurationTexts.bootstrapTokens },
      ),
    ),
    kind: optional(string({ description: nodeConfigurationTexts.kind })),
    localAPIEndpoint: optional(localApiEndpointV1Beta1),
    nodeRegistration: optional(
      refine(nodeRegistrationV1Beta1, { description: nodeConfigurationTexts.nodeRegistrationV1Beta1 }),
    ),
    patches: optional(refine(patchesV1Beta1, { description: nodeConfigurationTexts.patchesV1Beta1 })),
    skipPhases: optional(
      list(string({ minLength: 1, maxLength: 256 }), { maxItems: 50, description: nodeConfigurationTexts.skipPhases }),
    ),
  },
  { description: nodeConfigurationTexts.initConfigurationV1Beta1 },
);

const discoveryV1Beta1 = object(
  {
    bootstrapToken: optional(
      object(
        {
          apiServerEndpoint: optional(
            string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.apiServerEndpoint }),
          ),
          caCertHashes: optional(
            list(string({ minLength: 1, maxLength: 512 }), {
              maxItems: 100,
              description: nodeConfigurationTexts.caCertHashes,
            }),
          ),
          token: optional(
            string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.bootstrapTokenToken }),
          ),
          unsafeSkipCAVerification: optional(boolean({ description: nodeConfigurationTexts.unsafeSkipCAVerification })),
        },
        { description: nodeConfigurationTexts.bootstrapToken },
      ),
    ),
    file: optional(
      object(
        {
          kubeConfig: optional(
            object(
              {
                cluster: optional(
                  object(
                    {
                      certificateAuthorityData: optional(
                        bytes({
                          minLength: 1,
                          maxLength: 51200,
                          description: nodeConfigurationTexts.certificateAuthorityData,
                        }),
                      ),
                      insecureSkipTLSVerify: optional(
                        boolean({ description: nodeConfigurationTexts.insecureSkipTLSVerify }),
                      ),
                      proxyURL: optional(
                        string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.proxyURL }),
                      ),
                      server: optional(
                        string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.server }),
                      ),
                      tlsServerName: optional(
                        string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.tlsServerName }),
                      ),
                    },
                    { description: nodeConfigurationTexts.kubeConfigCluster },
                  ),
                ),
                user: object(
                  {
                    authProvider: optional(authProvider),
                    exec: optional(
                      object(
                        {
                          apiVersion: optional(
                            string({
                              minLength: 1,
                              maxLength: 512,
                              description: nodeConfigurationTexts.execApiVersion,
                            }),
                          ),
                          args: optional(
                            list(string({ minLength: 1, maxLength: 512 }), {
                              maxItems: 100,
                              description: nodeConfigurationTexts.args,
                            }),
                          ),
                          command: string({
                            minLength: 1,
                            maxLength: 1024,
                            description: nodeConfigurationTexts.command,
                          }),
                          env: optional(
                            list(
                              object({
                                name: string({
                                  minLength: 1,
                                  maxLength: 512,
                                  description: nodeConfigurationTexts.envName,
                                }),
                                value: string({
                                  minLength: 1,
                                  maxLength: 512,
                                  description: nodeConfigurationTexts.envValue,
                                }),
                              }),
                              { maxItems: 100, description: nodeConfigurationTexts.env },
                            ),
                          ),
                          provideClusterInfo: optional(
                            boolean({ description: nodeConfigurationTexts.provideClusterInfo }),
                          ),
                        },
                        { description: nodeConfigurationTexts.exec },
                      ),
                    ),
                  },
                  { description: nodeConfigurationTexts.kubeConfigUser },
                ),
              },
              { description: nodeConfigurationTexts.kubeConfig },
            ),
          ),
          kubeConfigPath: string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.kubeConfigPath }),
        },
        { description: nodeConfigurationTexts.file },
      ),
    ),
    timeout: optional(string({ description: nodeConfigurationTexts.discoveryV1Beta1Timeout })),
    tlsBootstrapToken: optional(
      string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.tlsBootstrapToken }),
    ),
  },
  { description: nodeConfigurationTexts.discoveryV1Beta1 },
);

export const joinConfigurationV1Beta1 = object(
  {
    apiVersion: optional(string({ description: nodeConfigurationTexts.apiVersion })),
    caCertPath: optional(string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.caCertPath })),
    controlPlane: optional(
      object(
        {
          localAPIEndpoint: optional(localApiEndpointV1Beta1),
        },
        { description: nodeConfigurationTexts.joinConfigurationV1Beta1ControlPlane },
      ),
    ),
    discovery: optional(refine(discoveryV1Beta1, { description: nodeConfigurationTexts.discoveryV1Beta1 })),
    kind: optional(string({ description: nodeConfigurationTexts.kind })),
    nodeRegistration: optional(
      refine(nodeRegistrationV1Beta1, { description: nodeConfigurationTexts.nodeRegistrationV1Beta1 }),
    ),
    patches: optional(refine(patchesV1Beta1, { description: nodeConfigurationTexts.patchesV1Beta1 })),
    skipPhases: optional(
      list(string({ minLength: 1, maxLength: 256 }), { maxItems: 50, description: nodeConfigurationTexts.skipPhases }),
    ),
  },
  { description: nodeConfigurationTexts.joinConfigurationV1Beta1 },
);
