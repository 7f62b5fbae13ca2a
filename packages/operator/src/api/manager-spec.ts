import { boolean, int64, integer, map, object, optional, string, type Infer } from '@slipway/kube/kit';

const leaderElection = object(
  {
    leaderElect: boolean({ description: 'Whether the manager elects a leader: --leader-elect.' }),
    leaseDuration: string({
      description:
        'Time after which a lease that is not renewed may be taken over, such as 15s: --leader-elect-lease-duration. Rounded to whole seconds; 0s does not set the argument.',
    }),
    renewDeadline: string({
      description:
        'Time within which the leader must renew its lease before it stops leading, such as 10s: --leader-elect-renew-deadline. Rounded to whole seconds; 0s does not set the argument.',
    }),
    resourceLock: string({
      description: 'Type of the lock object, such as leases. Managers have no argument for it, so it has no effect.',
    }),
    resourceName: string({
      description: 'Name of the lock object: the second part of --leader-election-id.',
    }),
    resourceNamespace: string({
      description: 'Namespace of the lock object: the first part of --leader-election-id.',
    }),
    retryPeriod: string({
      description:
        'Time between two attempts to acquire or renew the lease, such as 2s: --leader-elect-retry-period. Rounded to whole seconds; 0s does not set the argument.',
    }),
  },
  { description: 'Leader election of the manager. If not set, the arguments of the manifest are kept.' },
);

const controller = object(
  {
    cacheSyncTimeout: optional(
      int64({
        description:
          'Time limit for the first synchronization of caches, in nanoseconds. Managers have no argument for it, so it has no effect.',
      }),
    ),
    groupKindConcurrency: optional(
      map(integer(), {
        description:
          'Number of objects that are reconciled at the same time, by kind: Cluster becomes --cluster-concurrency.',
      }),
    ),
    recoverPanic: optional(
      boolean({
        description:
          'Whether a panic of a reconcile is recovered. Managers have no argument for it, so it has no effect.',
      }),
    ),
  },
  { description: 'Configuration of the controllers of the manager.' },
);

const health = object(
  {
    healthProbeBindAddress: optional(
      string({ description: 'Address that serves the health probes, such as :9440: --health-addr.' }),
    ),
    livenessEndpointName: optional(
      string({ description: 'Path of the liveness probe without its slash. The probe of the container is changed.' }),
    ),
    readinessEndpointName: optional(
      string({ description: 'Path of the readiness probe without its slash. The probe of the container is changed.' }),
    ),
  },
  { description: 'Health probes of the manager.' },
);

const metrics = object(
  {
    bindAddress: optional(
      string({
        description: 'Deprecated: use diagnosticsAddress. Address that serves metrics: --metrics-bind-addr.',
      }),
    ),
    diagnosticsAddress: optional(
      string({
        description:
          'Address that serves metrics and, if the manager has them, profiles and the log level: --diagnostics-address.',
      }),
    ),
    insecureDiagnostics: optional(
      boolean({
        description:
          'Whether diagnostics are served over HTTP without authentication: --insecure-diagnostics. Defaults to false, which does not set the argument.',
      }),
    ),
  },
  { description: 'Metrics and diagnostics of the manager.' },
);

const webhook = object(
  {
    certDir: optional(
      string({
        description: 'Directory with the serving certificate tls.crt and its key tls.key: --webhook-cert-dir.',
      }),
    ),
    host: optional(string({ description: 'Address that the webhook server binds to: --webhook-host.' })),
    port: optional(
      integer({ description: 'Port that the webhook server listens on: --webhook-port. 0 does not set the argument.' }),
    ),
  },
  { description: 'Webhook server of the manager.' },
);

/** Command-line arguments of the manager of a provider. */
export const managerSpec = object(
  {
    additionalArgs: optional(
      map(string(), {
        description:
          'Further arguments of the manager, by flag including its dashes. A flag that the container already has is an error.',
      }),
    ),
    cacheNamespace: optional(
      string({ description: 'Namespace that the manager watches: --namespace. Defaults to all namespaces.' }),
    ),
    controller: optional(controller),
    featureGates: optional(
      map(boolean(), {
        description: 'Feature gates by name: --feature-gates. They are merged over those of the manifest.',
      }),
    ),
    gracefulShutDown: optional(
      string({
        description:
          'Time that the manager has to stop, such as 30s. Managers have no argument for it, so it has no effect.',
      }),
    ),
    health: optional(health),
    leaderElection: optional(leaderElection),
    maxConcurrentReconciles: optional(
      integer({
        minimum: 1,
        description: 'Number of objects that each controller reconciles at the same time: --max-concurrent-reconciles.',
      }),
    ),
    metrics: optional(metrics),
    profilerAddress: optional(
      string({ description: 'Address that serves pprof profiles, such as localhost:6060: --profiler-address.' }),
    ),
    syncPeriod: optional(
      string({
        description:
          'Time after which all watched objects are reconciled again, such as 10m: --sync-period. Rounded to whole seconds; 0s does not set the argument.',
      }),
    ),
    verbosity: optional(
      integer({
        minimum: 0,
        default: 1,
        description: 'Log verbosity: --v. 1, the default, keeps the argument of the manifest.',
      }),
    ),
    webhook: optional(webhook),
  },
  {
    description:
      'Arguments of the container named manager, or of the first container. They take precedence over those of deployment. Absent fields keep the arguments of the manifest.',
  },
);

export type ManagerSpec = Infer<typeof managerSpec>;
