import { boolean, int64, integer, map, object, optional, string, type Infer } from '@slipway/kube/kit';

const leaderElection = object({
  leaderElect: boolean(),
  leaseDuration: string(),
  renewDeadline: string(),
  resourceLock: string(),
  resourceName: string(),
  resourceNamespace: string(),
  retryPeriod: string(),
});

/** What the manager of a provider is told on its command line. */
export const managerSpec = object(
  {
    additionalArgs: optional(
      map(string(), { description: 'Further arguments, by flag with its dashes. None of them may be there already.' }),
    ),
    cacheNamespace: optional(string({ description: 'The one namespace to watch: --namespace.' })),
    controller: optional(
      object({
        cacheSyncTimeout: optional(int64()),
        groupKindConcurrency: optional(map(integer())),
        recoverPanic: optional(boolean()),
      }),
    ),
    featureGates: optional(map(boolean())),
    gracefulShutDown: optional(string()),
    health: optional(
      object({
        healthProbeBindAddress: optional(string()),
        livenessEndpointName: optional(string()),
        readinessEndpointName: optional(string()),
      }),
    ),
    leaderElection: optional(leaderElection),
    maxConcurrentReconciles: optional(integer({ minimum: 1 })),
    metrics: optional(
      object({
        bindAddress: optional(string()),
        diagnosticsAddress: optional(string()),
        insecureDiagnostics: optional(boolean()),
      }),
    ),
    profilerAddress: optional(string()),
    syncPeriod: optional(string()),
    verbosity: optional(integer({ minimum: 0, default: 1 })),
    webhook: optional(object({ certDir: optional(string()), host: optional(string()), port: optional(integer()) })),
  },
  { description: 'Arguments of the manager. They win over those of the Deployment.' },
);

export type ManagerSpec = Infer<typeof managerSpec>;
