import { existsSync } from 'node:fs';
import {
  adminKubeconfig,
  type AuthenticationConfiguration,
  type Encryption,
  ensureServerIdentity,
  type IdentityDependencies,
  KubernetesServer,
  type KubernetesServerOptions,
  type ObjectStore,
  openIdentityDirectory,
  openStore,
  type ServerIdentity,
  storageMetrics,
} from '@slipway/apiserver';
import type { Console, OidcClient } from '@slipway/console';
import { type Logger, Scope, systemClock, systemRandom } from '@slipway/base';
import { KeyPool } from '@slipway/pki';
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import {
  ChangeFeed,
  changesDocument,
  changesPath,
  type Client,
  type ControllerChoices,
  type ControllerSet,
  FeatureGateError,
  type FeatureGates,
  selectControllers,
  ChangeExecutor,
} from '@slipway/runtime';
import { CliError, exitCodes, onFile } from '../errors/index.js';
import { type DataDirectory, machineFolders, makeDirectory, removeRunFile, writeRunFile } from '../instance/index.js';
import type { AuditFlags } from '../options/audit-options.js';
import type { ConsoleSignInFlags } from '../options/console-sign-in-options.js';
import type { TokenWebhookFlags } from '../options/token-webhook-options.js';
import type { Simulated } from '../options/simulate-option.js';
import type { ControllerBundle } from '../providers/controller-bundle.js';
import { loadedPlugins } from '../plugins/index.js';
import { slipwayVersion } from '../version.js';
import { endpointOf, hostsOf, withoutBrackets } from './addresses.js';
import { openAudit } from './audit.js';
import { followAuthentication, readAuthentication } from './authentication.js';
import { type ConsoleSignIn, readConsoleSignIn } from './console-sign-in.js';
import { startCertificateRenewal } from './certificate-renewal.js';
import { upgradeOptions } from './data-upgrade.js';
import { readEncryption } from './encryption.js';
import { writeKubeconfig } from './kubeconfig-file.js';
import { type BackupSchedule, startScheduledBackups } from './scheduled-backups.js';
import { listenError, storeError } from './start-errors.js';
import { readTokenWebhook } from './token-webhook.js';
import { openKeys } from './threaded-keys.js';
import { openYamlParser } from './threaded-yaml.js';

const consolePath = '/console';

export interface PlaneOptions {
  readonly directory: DataDirectory;
  readonly bind: string;
  readonly port: number;
  readonly kubeconfig: string;
  readonly apiOnly: boolean;
  /** Value of `--feature-gates`. */
  readonly featureGates: string;
  /** Simulated infrastructure. */
  readonly simulate?: readonly Simulated[];
  /** Whether clients on other hosts may change objects in the console. Otherwise it is read-only for them. */
  readonly remoteConsoleActions?: boolean;
  /** File with the keys that encrypt stored objects. Without it, they are stored as they are. */
  readonly encryptionProviderConfig?: string | undefined;
  /** The controllers of the API server to run. Default: all. */
  readonly controllers?: KubernetesServerOptions['controllers'];
  /** File with the issuers of OpenID Connect tokens. */
  readonly authenticationConfig?: string | undefined;
  /** Schedule of backups. Without it, there are none. */
  readonly backups?: Pick<BackupSchedule, 'everyMs' | 'keep'>;
  /** The console's registration at an OpenID Connect issuer. */
  readonly consoleSignIn?: ConsoleSignInFlags;
  /** Flags of the webhook that authenticates tokens. */
  readonly tokenWebhook?: TokenWebhookFlags;
  /** Flags of the audit log. Without them, requests are not audited. */
  readonly audit?: AuditFlags;
  readonly logger: Logger;
  /** Called once this process holds the lock of the data directory and can write its files. */
  readonly onOwned?: () => void;
  /** Replaces the built-in providers. */
  readonly bundle?: (server: KubernetesServer) => ControllerBundle;
}

export interface RunningPlane {
  readonly endpoint: string;
  /** In-process client of the API server. */
  readonly client: Client;
  /** Ends watches, finishes open requests, closes the store and releases the directory, in this order. */
  stop(): Promise<void>;
}

/** Starts everything that `slipway up` runs. If one part fails to start, all others are stopped. */
export async function startPlane(options: PlaneOptions): Promise<RunningPlane> {
  const scope = new Scope();
  try {
    const parts = await startParts(options, scope);
    return { ...parts, stop: () => scope.dispose() };
  } catch (error) {
    await scope.dispose();
    throw error;
  }
}

async function startParts(options: PlaneOptions, scope: Scope): Promise<Omit<RunningPlane, 'stop'>> {
  const { directory, logger } = options;
  // The store is opened first: its lock guards all other files of the directory.
  const encryption = await readEncryption(options.encryptionProviderConfig, logger);
  if (encryption !== undefined) scope.add(encryption);
  const store = await openData(options, encryption);
  options.onOwned?.();
  scope.defer(() => store.close());
  const dependencies: IdentityDependencies = {
    clock: systemClock,
    random: systemRandom,
    keys: new KeyPool(),
    files: openIdentityDirectory(directory.root, systemRandom),
  };
  const hosts = hostsOf(options.bind);
  const identity = await readIdentity(directory, dependencies, hosts);
  if (identity.written.length > 0) logger.info({ files: identity.written }, 'Keys and certificates generated');
  const authentication = await readAuthentication(options.authenticationConfig);
  const signIn = await readConsoleSignIn(options.consoleSignIn ?? {}, authentication);
  const audit = options.audit && (await openAudit(options.audit, logger));
  const server = await KubernetesServer.start({
    store,
    clock: systemClock,
    random: systemRandom,
    logger,
    identity,
    parseLargeYaml: openYamlParser(scope),
    ...(audit && { audit }),
    controllers: options.controllers,
    authentication,
    tokenWebhook: readTokenWebhook(options.tokenWebhook ?? {}),
  });
  scope.defer(() => server.stop());
  scope.add(server.addMetrics(storageMetrics(directory.store)));
  if (encryption?.hasPlugins === true)
    server.handler.health.register({
      name: 'kms-providers',
      endpoints: ['healthz', 'readyz'],
      check: () => encryption.checkHealth(),
    });
  followIssuers(server, scope, options, signIn);
  // Controllers and CRDs are loaded before the server listens, so that the first client finds all resources.
  const changes = options.apiOnly ? undefined : new ChangeFeed();
  const bundle = changes && (await startClusterApi(server, scope, options, changes));
  mountConsole(server, scope, { ...options, vcenterSessions: bundle?.vcenterSessions, changes, signIn });
  const endpoint = await listen(server, options);
  const publish = (current: ServerIdentity): Promise<void> =>
    writeKubeconfig(options.kubeconfig, adminKubeconfig(current, 'slipway', endpoint));
  await publish(identity);
  scope.add(startCertificateRenewal({ dependencies, hosts, server, clock: systemClock, logger, onAdmin: publish }));
  if (options.backups !== undefined)
    scope.add(await startScheduledBackups({ ...options.backups, directory, clock: systemClock, logger }));
  scope.defer(() => removeRunFile(directory.runFile));
  await recordRun(options, endpoint);
  return { endpoint, client: new InProcessClient({ registry: server.registry }) };
}

/** Applies changes of the issuers to the API server and to the sign-in of the console. */
function followIssuers(
  server: KubernetesServer,
  scope: Scope,
  { authenticationConfig: file, logger }: PlaneOptions,
  signIn: Awaited<ReturnType<typeof readConsoleSignIn>>,
): void {
  if (file === undefined) return;
  const replace = (next: AuthenticationConfiguration): void => {
    server.access.replaceAuthentication(next);
    const problem = signIn?.follow(next);
    if (problem !== undefined) logger.error({ problem }, 'Users of the console cannot sign in with OpenID Connect');
  };
  scope.add(followAuthentication({ file, clock: systemClock, logger, replace }));
}

/** Mounts the console, which is loaded at the first request: most planes never serve it. */
function mountConsole(
  server: KubernetesServer,
  scope: Scope,
  options: PlaneOptions & {
    readonly vcenterSessions: ControllerBundle['vcenterSessions'] | undefined;
    readonly changes: ChangeFeed | undefined;
    readonly signIn: ConsoleSignIn | undefined;
  },
): void {
  let opened: Promise<Console> | undefined;
  const { logger, remoteConsoleActions: remoteActions = false, vcenterSessions, changes, signIn } = options;
  const open = async (): Promise<Console> => {
    const { openPlaneConsole } = await import('./plane-console.js');
    const inProcess = { ...(vcenterSessions && { vcenterSessions }), ...(changes && { changes }) };
    const oidc = (): OidcClient | undefined => signIn?.client;
    return openPlaneConsole({ server, logger, remoteActions, oidc, ...inProcess });
  };
  server.handler.mount(consolePath, async (request) => {
    opened ??= open();
    return (await opened).handle(request);
  });
  scope.defer(async () => (await opened)?.dispose());
}

async function startClusterApi(
  server: KubernetesServer,
  scope: Scope,
  options: PlaneOptions,
  changes: ChangeFeed,
): Promise<ControllerBundle> {
  // Loaded on demand: declaring all CRDs is slow, and `--api-only` does not need them.
  const { loadControllerBundle } = await import('../providers/controller-bundle.js');
  const { embeddedProviders } = await import('../providers/embedded-providers.js');
  const { publishEmbedded } = await import('@slipway/operator');
  const { publishConfiguration } = await import('@slipway/cluster-api');
  const dependencies = { clock: systemClock, random: systemRandom, logger: options.logger };
  const keys = openKeys(scope);
  const { simulate = [] } = options;
  const embedded = embeddedProviders();
  const folders = machineFolders(options.directory);
  const bundle = options.bundle?.(server) ?? loadControllerBundle({ ...dependencies, simulate, ...folders, embedded });
  scope.defer(() => bundle.dispose?.());
  const { sets, kinds, connect } = bundle;
  const client = new InProcessClient({ registry: server.registry });
  const choices: ControllerChoices = {
    featureGates: options.featureGates,
    // The simplest network provider of a Supervisor.
    ...(simulate.includes('supervisor') && { settings: new Map([['network-provider', 'vsphere-network']]) }),
  };
  const gates = readGates(sets, choices);
  const kindSet = kinds?.({ client, findDefinition: (name) => findDefinition(server.store, name), gates });
  if (kindSet !== undefined) scope.add(await installKinds(server, client, kindSet, dependencies));
  if (kindSet !== undefined) {
    const writer = new ChangeExecutor({ client, clock: systemClock, controller: 'slipway', feed: changes });
    await publishEmbedded(writer, embedded);
    await publishConfiguration(writer, { featureGates: gates }, choices.settings);
  }
  scope.add(server.addDocument(changesPath, () => changesDocument(changes)));
  scope.add(
    await startEmbeddedControllers({
      server,
      sets,
      choices,
      keys,
      changes,
      ...dependencies,
      ...(connect && { connect }),
    }),
  );
  return bundle;
}

function readGates(sets: readonly ControllerSet[], choices: ControllerChoices): FeatureGates {
  try {
    return selectControllers(sets, choices).featureGates;
  } catch (error) {
    if (!(error instanceof FeatureGateError)) throw error;
    throw new CliError(`--feature-gates: ${error.message}`, { exitCode: exitCodes.usage, cause: error });
  }
}

async function openData({ directory, logger }: PlaneOptions, encryption: Encryption | undefined): Promise<ObjectStore> {
  if (existsSync(directory.restoring)) {
    throw new CliError(`a restore into ${directory.root} did not finish`, {
      remedy: 'run `slipway restore` again with the same --data-dir',
    });
  }
  return onFile('use', directory.root, async () => {
    await makeDirectory(directory.root);
    try {
      return await openStore({
        directory: directory.store,
        clock: systemClock,
        log: logger,
        ...(encryption && { encryption }),
        ...upgradeOptions(directory, encryption, logger),
      });
    } catch (error) {
      throw await storeError(directory, error);
    }
  });
}

async function readIdentity(
  directory: DataDirectory,
  dependencies: IdentityDependencies,
  hosts: readonly string[],
): Promise<ServerIdentity> {
  try {
    return await onFile('use', directory.pki, () => ensureServerIdentity(dependencies, { hosts }));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`the keys in ${directory.root} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

async function listen(server: KubernetesServer, { bind, port }: PlaneOptions): Promise<string> {
  try {
    const address = await server.listen({ host: withoutBrackets(bind), port });
    return endpointOf(bind, address.port);
  } catch (error) {
    throw listenError(bind, port, error);
  }
}

async function recordRun(options: PlaneOptions, endpoint: string): Promise<void> {
  const { directory, kubeconfig, apiOnly } = options;
  await onFile('write', directory.runFile, () =>
    writeRunFile(directory.runFile, {
      pid: process.pid,
      endpoint,
      kubeconfig,
      version: slipwayVersion,
      apiOnly,
      plugins: loadedPlugins().map(({ folder }) => folder),
      startedAt: new Date(systemClock.now()).toISOString(),
    }),
  );
}
