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
  refine,
  string,
} from '@slipway/kube/kit';
import { authProvider } from '../shared.js';
import { extraArgs } from './cluster-configuration.js';
import { nodeConfigurationTexts } from '../texts/node-configuration.js';

const patches = object(
  {
    directory: optional(string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.directory })),
  },
  { minProperties: 1, description: nodeConfigurationTexts.patchesV1Beta1 },
);

const nodeRegistration = object(
  {
    criSocket: optional(string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.criSocket })),
    ignorePreflightErrors: optional(
      atomicList(string({ minLength: 1, maxLength: 512 }), {
        minItems: 1,
        maxItems: 50,
        description: nodeConfigurationTexts.ignorePreflightErrors,
      }),
    ),
    imagePullPolicy: optional(
      enumeration(['Always', 'IfNotPresent', 'Never'], { description: nodeConfigurationTexts.imagePullPolicy }),
    ),
    imagePullSerial: optional(boolean({ description: nodeConfigurationTexts.imagePullSerial })),
    kubeletExtraArgs: optional(refine(extraArgs, { description: nodeConfigurationTexts.kubeletExtraArgs })),
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
        { minItems: 0, maxItems: 100, description: nodeConfigurationTexts.taints },
      ),
    ),
  },
  { description: nodeConfigurationTexts.nodeRegistrationV1Beta1, minProperties: 1 },
);

const localApiEndpoint = object(
  {
    advertiseAddress: optional(
      string({ minLength: 1, maxLength: 39, description: nodeConfigurationTexts.advertiseAddress }),
    ),
    bindPort: optional(int32({ minimum: 1, description: nodeConfigurationTexts.bindPort })),
  },
  { minProperties: 1, description: nodeConfigurationTexts.localApiEndpointV1Beta1 },
);

const timeouts = object(
  {
    controlPlaneComponentHealthCheckSeconds: optional(
      int32({ minimum: 0, description: nodeConfigurationTexts.controlPlaneComponentHealthCheckSeconds }),
    ),
    discoverySeconds: optional(int32({ minimum: 0, description: nodeConfigurationTexts.discoverySeconds })),
    etcdAPICallSeconds: optional(int32({ minimum: 0, description: nodeConfigurationTexts.etcdAPICallSeconds })),
    kubeletHealthCheckSeconds: optional(
      int32({ minimum: 0, description: nodeConfigurationTexts.kubeletHealthCheckSeconds }),
    ),
    kubernetesAPICallSeconds: optional(
      int32({ minimum: 0, description: nodeConfigurationTexts.kubernetesAPICallSeconds }),
    ),
    tlsBootstrapSeconds: optional(int32({ minimum: 0, description: nodeConfigurationTexts.tlsBootstrapSeconds })),
  },
  { description: nodeConfigurationTexts.timeouts, minProperties: 1 },
);

export const initConfiguration = object(
  {
    bootstrapTokens: optional(
      atomicList(
        object({
          description: optional(
            string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.bootstrapTokensDescription }),
          ),
          expires: optional(dateTime({ description: nodeConfigurationTexts.expires })),
          groups: optional(
            atomicList(string({ minLength: 1, maxLength: 256 }), {
              minItems: 1,
              maxItems: 100,
              description: nodeConfigurationTexts.bootstrapTokensGroups,
            }),
          ),
          token: string({ minLength: 1, maxLength: 23, description: nodeConfigurationTexts.bootstrapTokensToken }),
          ttlSeconds: optional(int32({ minimum: 0, description: nodeConfigurationTexts.ttlSeconds })),
          usages: optional(
            atomicList(string({ minLength: 1, maxLength: 256 }), {
              minItems: 1,
              maxItems: 100,
              description: nodeConfigurationTexts.usages,
            }),
          ),
        }),
        { minItems: 1, maxItems: 100, description: nodeConfigurationTexts.bootstrapTokens },
      ),
    ),
    localAPIEndpoint: optional(localApiEndpoint),
    nodeRegistration: optional(
      refine(nodeRegistration, { description: nodeConfigurationTexts.nodeRegistrationV1Beta1 }),
    ),
    patches: optional(refine(patches, { description: nodeConfigurationTexts.patchesV1Beta1 })),
    skipPhases: optional(
      atomicList(string({ minLength: 1, maxLength: 256 }), {
        minItems: 1,
        maxItems: 50,
        description: nodeConfigurationTexts.skipPhases,
      }),
    ),
    timeouts: optional(refine(timeouts, { description: nodeConfigurationTexts.timeouts })),
  },
  { description: nodeConfigurationTexts.initConfigurationV1Beta1, minProperties: 1 },
);

const discovery = object(
  {
    bootstrapToken: optional(
      object(
        {
          apiServerEndpoint: optional(
            string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.apiServerEndpoint }),
          ),
          caCertHashes: optional(
            atomicList(string({ minLength: 1, maxLength: 512 }), {
              minItems: 1,
              maxItems: 100,
              description: nodeConfigurationTexts.caCertHashes,
            }),
          ),
          token: optional(
            string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.bootstrapTokenToken }),
          ),
          unsafeSkipCAVerification: optional(boolean({ description: nodeConfigurationTexts.unsafeSkipCAVerification })),
        },
        { minProperties: 1, description: nodeConfigurationTexts.bootstrapToken },
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
                    { minProperties: 1, description: nodeConfigurationTexts.kubeConfigCluster },
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
                            atomicList(string({ minLength: 1, maxLength: 512 }), {
                              minItems: 1,
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
                            atomicList(
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
                              { minItems: 1, maxItems: 100, description: nodeConfigurationTexts.env },
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
                  { minProperties: 1, description: nodeConfigurationTexts.kubeConfigUser },
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
    tlsBootstrapToken: optional(
      string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.tlsBootstrapToken }),
    ),
  },
  { description: nodeConfigurationTexts.discoveryV1Beta1, minProperties: 1 },
);

export const joinConfiguration = object(
  {
    caCertPath: optional(string({ minLength: 1, maxLength: 512, description: nodeConfigurationTexts.caCertPath })),
    controlPlane: optional(
      object(
        {
          localAPIEndpoint: optional(localApiEndpoint),
        },
        { description: nodeConfigurationTexts.joinConfigurationV1Beta1ControlPlane },
      ),
    ),
    discovery: optional(refine(discovery, { description: nodeConfigurationTexts.discoveryV1Beta1 })),
    nodeRegistration: optional(
      refine(nodeRegistration, { description: nodeConfigurationTexts.nodeRegistrationV1Beta1 }),
    ),
    patches: optional(refine(patches, { description: nodeConfigurationTexts.patchesV1Beta1 })),
    skipPhases: optional(
      atomicList(string({ minLength: 1, maxLength: 256 }), {
        minItems: 1,
        maxItems: 50,
        description: nodeConfigurationTexts.skipPhases,
      }),
    ),
    timeouts: optional(refine(timeouts, { description: nodeConfigurationTexts.timeouts })),
  },
  { description: nodeConfigurationTexts.joinConfigurationV1Beta1, minProperties: 1 },
);
