import { type Logger, Scope, systemClock, systemRandom } from '@slipway/base';
import { clusterKeyOf, watchFilter } from '@slipway/cluster-api';
import { DefinitionLookup, ensureDefinitions } from '@slipway/plane';
import {
  composeControllers,
  type Composition,
  createManager,
  type HttpClient,
  LeadershipLostError,
  type Manager,
  type ManagerOptions,
  type RemoteLimits,
  tracerFromEnvironment,
} from '@slipway/runtime';
import { type ConnectedServer, connectServer } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes, messageOf, systemCode } from '../../errors/index.js';
import { dataDirectory, machineFolders } from '../../instance/index.js';
import { openKeys } from '../../plane/threaded-keys.js';
import { loadNamedPlugins, nameAndVersion } from '../../providers/named-plugins.js';
import { diagnosticsOf } from '../../process/diagnostics.js';
import { openLog } from '../../process/open-log.js';
import { stopSignal } from '../../process/stop-signal.js';
import { type ControllerBundle, loadControllerBundle } from '../../providers/controller-bundle.js';
import { restrictBundle } from '../../providers/restrict-bundle.js';
import { slipwayVersion } from '../../version.js';
import { checkPermissions, checkServed, needsOf } from './checks.js';
import type { ManagerFlags } from './command.js';
import { loadOpenShiftOperator } from './openshift-operator.js';
import { type ManagerSettings, readSettings } from './settings.js';
import { type WebhookSet, openWebhooks } from './webhooks.js';

// First klog level that is debug output.
const debugLevel = 4;
/**
 * Time that a manager in a pod waits for CRDs: Helm and clusterctl create them together with the Deployments, and the API server serves
 * them seconds later. It ends before the startup probe fails.
 */
const servedTimeoutMs = 60_000;
const inClusterContext = 'in-cluster';
const dependencies = { clock: systemClock, random: systemRandom };

/** Runs the manager until a signal stops it or leadership is lost. */
export async function manager(
  flags: ManagerFlags,
  rest: readonly string[],
  given?: ControllerBundle,
): Promise<ExitCode> {
  const logger = openLog({
    format: flags.logFormat ?? flags.loggingFormat,
    verbose: flags.v === true || flags.v >= debugLevel,
  });
  const plugins = await loadNamedPlugins(flags);
  if (plugins.length > 0) logger.info({ plugins: plugins.map(nameAndVersion) }, 'Plugins loaded');
  const carried = given ?? (await loadFor(flags, logger));
  const bundle = restrictBundle(carried, flags.provider);
  const settings = readSettings(flags, rest, bundle.sets);
  const stopRequest = stopSignal();
  const stopping = new AbortController();
  const scope = new Scope();
  scope.defer(() => bundle.dispose?.());
  void stopRequest.then((signal) => {
    logger.info({ signal }, 'Stopping; send the signal again to stop immediately');
    stopping.abort(new Error('the manager is stopping'));
  });
  try {
    const running = await start(settings, bundle, logger, scope, stopping.signal);
    await Promise.race([stopRequest, running.done]);
    await running.stop();
  } catch (error) {
    // An error is ignored if the manager was stopped before the start was complete.
    if (!stopping.signal.aborted) throw explain(settings, error);
  } finally {
    await scope.dispose();
  }
  logger.info({}, 'Stopped');
  return exitCodes.ok;
}

function loadFor(flags: ManagerFlags, logger: Logger): ControllerBundle | Promise<ControllerBundle> {
  if (flags.openshiftReleases !== undefined) return loadOpenShiftOperator(flags.openshiftReleases, flags);
  return loadControllerBundle({
    ...dependencies,
    logger,
    simulate: flags.simulate,
    ...machineFolders(dataDirectory(undefined)),
  });
}

function connect(flags: ManagerFlags, logger: Logger, signal: AbortSignal): Promise<ConnectedServer> {
  const { kubeconfig, kubeconfigContext, kubeApiQps: perSecond, kubeApiBurst: burst } = flags;
  return connectServer(
    {
      kubeconfig,
      kubeconfigContext,
      agent: 'slipway-manager',
      ...(perSecond > 0 && { rateLimit: { perSecond, burst: Math.max(burst, 1) } }),
      onWarning: (text) => logger.warn({ warning: text }, 'API server warning'),
    },
    signal,
  );
}

async function start(
  settings: ManagerSettings,
  bundle: ControllerBundle,
  logger: Logger,
  scope: Scope,
  signal: AbortSignal,
): Promise<Manager> {
  const { flags, chosen } = settings;
  const server = await connect(flags, logger, signal);
  const { client, connection } = server;
  scope.defer(() => client.close());
  logger.info({ server: client.server, context: connection.context, version: slipwayVersion }, 'Connected');
  if (flags.installCrds) {
    const definitions = chosen.sets.flatMap((set) => set.customResourceDefinitions?.() ?? []);
    if (definitions.length > 0) await ensureDefinitions(client, definitions, { ...dependencies, signal });
    logger.info({ definitions: definitions.length }, 'CRDs are up to date');
  }
  const { namespace, syncPeriod: resyncMs } = flags;
  const { connect: connectWorkload } = bundle;
  const composition = composeControllers({
    chosen,
    client,
    ...dependencies,
    logger,
    keys: openKeys(scope),
    namespace,
    watchFilter: watchFilter(flags.watchFilter),
    resyncMs,
    remoteLimits: remoteLimitsOf(flags),
    ...(connectWorkload && { connect: connectWorkload }),
  });
  scope.defer(() => composition.sources.stop());
  scope.add(composition);
  const election = electionOf(settings, connection.namespace);
  const leaseNamespace = (election.leaderElection ?? election.sharding)?.namespace;
  const needs = needsOf(
    composition.watched,
    namespace,
    leaseNamespace === undefined ? undefined : { namespace: leaseNamespace, sharded: election.sharding !== undefined },
  );
  if (!flags.installCrds) {
    const timeoutMs = connection.context === inClusterContext ? servedTimeoutMs : 0;
    await checkServed(client, composition.watched, { ...dependencies, logger, signal, timeoutMs });
  }
  await checkPermissions(client, needs, signal);
  const kindSet = bundle.kinds?.({ client, findDefinition: lookUp(client, scope), gates: chosen.featureGates });
  const webhookSet = { webhooks: composition.webhooks, kindSet };
  const running = createManager(await managerOptions(settings, server, composition, webhookSet, logger));
  composition.measure(running.registry);
  const stop = (): void => void running.stop();
  signal.addEventListener('abort', stop, { once: true });
  signal.throwIfAborted();
  await running.start();
  logger.info({ identity: running.identity, ports: running.ports, ...describe(settings) }, 'Manager started');
  return running;
}

function remoteLimitsOf(flags: ManagerFlags): RemoteLimits {
  const { clustercacheClientQps: perSecond, clustercacheClientBurst: burst } = flags;
  return {
    connectingMax: Math.max(flags.clustercacheConcurrency, 1),
    ...(perSecond > 0 && { rateLimit: { perSecond, burst: Math.max(burst, 1) } }),
  };
}

/** Returns a lookup of CRDs on the server: references of v1beta1 contain API versions of CRDs that other providers installed. */
function lookUp(client: HttpClient, scope: Scope): (name: string) => ReturnType<DefinitionLookup['find']> {
  const lookup = new DefinitionLookup({ client, ...dependencies });
  scope.add(lookup);
  return (name) => lookup.find(name);
}

type Election = Pick<ManagerOptions, 'leaderElection' | 'sharding'>;

function electionOf({ flags, leaseTimes: times }: ManagerSettings, ownNamespace: string): Election {
  const { leaderElectionNamespace: namespace = ownNamespace, leaderElectionId: name, shards } = flags;
  if (shards !== undefined) return { sharding: { namespace, name, times, shards, shardKeyOf: clusterKeyOf } };
  return flags.leaderElect ? { leaderElection: { namespace, name, times } } : {};
}

async function managerOptions(
  settings: ManagerSettings,
  { client, connection }: ConnectedServer,
  composition: Composition,
  webhookSet: WebhookSet,
  logger: Logger,
): Promise<ManagerOptions> {
  const { flags } = settings;
  const namespace = flags.leaderElectionNamespace ?? connection.namespace;
  // A dry run serves no webhooks: it would store a certificate and point the API server to this process.
  const webhooks = flags.dryRun
    ? undefined
    : openWebhooks(flags, webhookSet, { client, ...dependencies, logger, namespace });
  const tracing = tracerFromEnvironment(process.env);
  if (tracing?.registered === false)
    logger.warn({}, 'OTEL_ variables are set, but no OpenTelemetry SDK is registered: traces are not exported');
  return {
    name: 'slipway-manager',
    client,
    ...dependencies,
    logger,
    sources: composition.sources,
    controllers: composition.controllers,
    ...electionOf(settings, connection.namespace),
    ...(await diagnosticsOf(flags, client, dependencies)),
    ...(webhooks !== undefined && { webhooks }),
    ...(flags.dryRun && { dryRun: true }),
    ...(tracing?.registered === true && { tracer: tracing.tracer }),
  };
}

function describe({ chosen, flags }: ManagerSettings): Readonly<Record<string, unknown>> {
  return {
    controllers: Object.fromEntries(
      chosen.controllers.map(({ descriptor, concurrency }) => [descriptor.name, concurrency]),
    ),
    featureGates: Object.fromEntries(chosen.featureGates.entries()),
    namespace: flags.namespace,
    watchFilter: flags.watchFilter,
    ...(flags.dryRun && { dryRun: true }),
  };
}

function explain({ flags }: ManagerSettings, error: unknown): unknown {
  if (error instanceof LeadershipLostError) {
    return new CliError(`leadership lost: the lease ${flags.leaderElectionId} was not renewed in time`, {
      remedy:
        'another manager became the leader, or the API server was not reachable; restart this process, as a Deployment does',
      exitCode: exitCodes.leadershipLost,
      cause: error,
    });
  }
  const code = systemCode(error);
  if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return new CliError(`cannot serve diagnostics, health or webhooks: ${messageOf(error)}`, {
      remedy:
        'choose other addresses with --diagnostics-address, --health-addr and --webhook-port; 0 disables a listener',
      exitCode: code === 'EADDRINUSE' ? exitCodes.inUse : exitCodes.failed,
      cause: error,
    });
  }
  return error;
}
