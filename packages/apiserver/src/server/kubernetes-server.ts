import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Registry as MetricsRegistry } from 'prom-client';
import { advertisedAddress, type Clock, type Disposable, type Logger, type Random, Scope } from '@slipway/base';
import { type CertificateAndKey, CertificateVerifier, certificateToPem, privateKeyToPem } from '@slipway/pki';
import { AdmissionChain, installAdmission } from '../admission/index.js';
import { Auditor, type AuditOptions } from '../audit/index.js';
import {
  type Access,
  type AuthenticationConfiguration,
  createAccess,
  ServiceAccountKeys,
  type ServerIdentity,
  type StaticToken,
  toSigningKey,
  type TokenWebhook,
} from '../auth/index.js';
import {
  type ControllerName,
  type Controllers,
  CrdController,
  createConversionWebhook,
  installEarlyAdmission,
  installQuotaAdmission,
  PolicyStatusLoop,
  startControllers,
} from '../controllers/index.js';
import type { Converter } from '../kinds/index.js';
import {
  ApiHandler,
  ApiServer,
  decodeProtobuf,
  type DocumentRoute,
  metricsDocument,
  type ParseLargeYaml,
  type PortForwarder,
  PriorityLevels,
  PrometheusRequestMetrics,
  type ServiceResolver,
  type ServingCertificate,
  storeServiceResolver,
  WebhookClient,
} from '../http/index.js';
import { LoopbackClient, ResourceRegistry } from '../registry/index.js';
import type { Store } from '../contract/index.js';
import { writeBootstrapObjects } from './bootstrap-objects.js';
import { installBuiltins } from './install-builtins.js';

/** The server's CA, its service account signing key and, if it listens, its serving certificate. */
export type ServingIdentity = Pick<ServerIdentity, 'authority' | 'serviceAccountKey'> &
  Partial<Pick<ServerIdentity, 'serving'>>;

export interface KubernetesServerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly identity: ServingIdentity;
  readonly staticTokens?: readonly StaticToken[];
  /** Issuers of OpenID Connect tokens, and which requests may be anonymous. */
  readonly authentication?: AuthenticationConfiguration | undefined;
  /** A webhook that authenticates tokens which no other authenticator knows. */
  readonly tokenWebhook?: TokenWebhook | undefined;
  /** CIDR from which cluster IPs of services are allocated. */
  readonly serviceRange?: string;
  /** Resolves the address of webhooks that are referenced by service. Default: the ready endpoints of the service. */
  readonly resolveService?: ServiceResolver;
  /**
   * Whether the store is a fork of a store on which a server was already started. If so, the bootstrap objects exist
   * and are not reconciled again.
   */
  readonly prepared?: boolean;
  /**
   * When the server's controllers start: with the server, or with the first external request. In-process callers do not need the
   * controllers, and of a thousand simulated clusters in one process few are ever accessed from outside.
   */
  readonly loops?: 'atStart' | 'atFirstRequest';
  /**
   * The controllers to run. Default: all. Without the service account controller, Pods need no service account, as in test
   * environments that run kube-apiserver alone.
   */
  readonly controllers?: ReadonlySet<ControllerName> | undefined;
  /** URL to advertise for a server that does not listen itself. */
  readonly advertisedUrl?: string;
  /** Connects to pod ports, for port forwarding. */
  readonly portForwarder?: PortForwarder;
  /** Policy and destinations of the audit log. Without it, requests are not audited. */
  readonly audit?: AuditOptions;
  /** Parses large YAML bodies on another thread. Without it, they are parsed on this thread. */
  readonly parseLargeYaml?: ParseLargeYaml;
}

export interface ListenOptions {
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port: number;
}

const serviceRangeDefault = '10.96.0.0/12';

/** A complete API server: registry, admission, authorization, controllers and, after `listen`, an HTTPS port. */
export class KubernetesServer {
  readonly admission: AdmissionChain;
  readonly registry: ResourceRegistry;
  readonly access: Access;
  /** Metrics of the server itself. They come first on `/metrics`. */
  readonly metrics = new MetricsRegistry();
  readonly #metricsBeside = new Set<MetricsRegistry>();
  readonly #documents = new Map<string, DocumentRoute>();
  readonly handler: ApiHandler;
  readonly #scope = new Scope();
  readonly #converters = new Map<string, Converter>();
  readonly #options: KubernetesServerOptions;
  readonly #keys: ServiceAccountKeys;
  #controllers: Controllers | undefined;
  #clusterIp = '';
  #transport: ApiServer | undefined;
  readonly #accepted = new Set<ApiServer>();

  private constructor(options: KubernetesServerOptions) {
    const { store, clock, random } = options;
    this.#options = options;
    this.admission = new AdmissionChain();
    this.registry = new ResourceRegistry({ store, clock, random, admission: this.admission });
    this.#keys = new ServiceAccountKeys(toSigningKey(options.identity.serviceAccountKey));
    this.access = this.#scope.add(
      createAccess({
        store,
        clock,
        random,
        clients: new CertificateVerifier([options.identity.authority.certificate]),
        keys: this.#keys,
        logger: options.logger,
        authentication: options.authentication,
        tokenWebhook: options.tokenWebhook,
        ...(options.staticTokens === undefined ? {} : { staticTokens: options.staticTokens }),
      }),
    );
    this.handler = this.#createHandler();
    this.#registerHealthChecks();
  }

  /** Starts a server that is ready for in-process calls; `listen` opens the port. */
  static async start(options: KubernetesServerOptions): Promise<KubernetesServer> {
    const server = new KubernetesServer(options);
    await server.#start();
    return server;
  }

  get store(): Store {
    return this.#options.store;
  }

  get identity(): ServingIdentity {
    return this.#options.identity;
  }

  /** The address for clients; undefined before `listen`. */
  get address(): AddressInfo | undefined {
    return this.#transport?.listening === true ? this.#transport.address() : undefined;
  }

  /** Registers an in-process converter for a kind, whose CRD then needs no conversion webhook. */
  registerConverter(group: string, kind: string, converter: Converter): void {
    this.#converters.set(`${group}/${kind}`, converter);
  }

  async listen(options: ListenOptions): Promise<AddressInfo> {
    const { serving } = this.#options.identity;
    if (serving === undefined) throw new Error('cannot listen: no serving certificate is configured');
    this.#transport = this.#createTransport(serving, options);
    const address = await this.#transport.listen();
    this.#controllers?.addressChanged();
    return address;
  }

  /** Starts the server's controllers if they still wait for the first request. */
  startLoops(): void {
    this.#startControllers();
  }

  /**
   * Serves a connection that the caller accepted. The certificate may differ per connection. No state is kept when the connection
   * ends.
   */
  accept(connection: Duplex, serving: CertificateAndKey): void {
    const transport = this.#createTransport(serving, { port: 0 });
    this.#accepted.add(transport);
    connection.once('close', () => this.#accepted.delete(transport));
    transport.accept(connection);
  }

  /** Replaces the serving certificate for new connections. Open connections are not affected. */
  replaceServingCertificate(serving: CertificateAndKey): void {
    this.#transport?.replaceCertificate(servingFiles(serving));
  }

  /** Ends watches, completes open requests and stops the controllers. The caller closes the store. */
  async stop(): Promise<void> {
    await this.#transport?.close();
    await Promise.all([...this.#accepted].map((transport) => transport.close()));
    await this.#scope.dispose();
    await Promise.all((this.#options.audit?.backends ?? []).map((backend) => backend.close()));
  }

  async #start(): Promise<void> {
    const { store, clock, random } = this.#options;
    const network = installBuiltins({
      registry: this.registry,
      store,
      clock,
      random,
      access: this.access,
      serviceRange: this.#options.serviceRange ?? serviceRangeDefault,
    });
    this.#scope.add(installEarlyAdmission(this.admission, this));
    for (const plugin of this.access.admission) this.admission.add(plugin);
    const client = new LoopbackClient(this.registry, 'kube-apiserver');
    const webhookClient = this.#installAdmission(client);
    if (this.#options.prepared !== true) await writeBootstrapObjects(store, client);
    this.#serveDefinitions(webhookClient);
    this.#clusterIp = network.apiServerAddress;
    if (this.#options.loops !== 'atFirstRequest') this.#startControllers();
  }

  /** Registers checks under the names by which probes of Kubernetes distributions select and exclude them. */
  #registerHealthChecks(): void {
    const { store } = this.#options;
    const { health } = this.handler;
    const checkWritable = (): void | Promise<void> => store.checkWritable?.();
    const checkStarted = (): void => {
      if (this.#clusterIp === '') throw new Error('the server has not started yet');
    };
    health.register({ name: 'log', check: () => undefined });
    health.register({ name: 'etcd', check: () => void store.revision });
    for (const name of ['etcd-readiness', 'storage'])
      health.register({ name, endpoints: ['readyz'], check: checkWritable });
    health.register({ name: 'informer-sync', endpoints: ['readyz'], check: checkStarted });
    for (const name of ['rbac/bootstrap-roles', 'start-apiextensions-controllers', 'crd-informer-synced'])
      health.register({ name: `poststarthook/${name}`, check: checkStarted });
  }

  #createTransport(serving: CertificateAndKey, { host = '127.0.0.1', port }: ListenOptions): ApiServer {
    const { clock, logger, portForwarder } = this.#options;
    return new ApiServer({
      handler: this.handler,
      clock,
      logger,
      certificate: servingFiles(serving),
      host,
      port,
      onFirstRequest: () => this.#startControllers(),
      ...(portForwarder === undefined ? {} : { portForwarder }),
    });
  }

  #installAdmission(client: LoopbackClient): WebhookClient {
    const { store, clock, random, logger, controllers, resolveService = storeServiceResolver(store) } = this.#options;
    const webhookClient = this.#scope.add(new WebhookClient({ clock, resolveService }));
    this.#scope.add(
      installAdmission(this.admission, {
        store,
        clock,
        random,
        logger,
        authorizer: this.access.authorizer,
        definitions: this.registry,
        webhookClient,
        metrics: this.metrics,
        requireServiceAccounts: controllers?.has('serviceaccount-controller') ?? true,
      }),
    );
    this.#scope.add(new PolicyStatusLoop({ store, clock, logger, client, definitions: this.registry })).start();
    return webhookClient;
  }

  #serveDefinitions(webhookClient: WebhookClient): void {
    const { store, clock, random, logger } = this.#options;
    const definitions = this.#scope.add(
      new CrdController({
        store,
        registry: this.registry,
        clock,
        logger,
        converters: {
          inProcess: (group, kind) => this.#converters.get(`${group}/${kind}`),
          webhook: (crd, { clientConfig, conversionReviewVersions }) =>
            createConversionWebhook(crd, {
              client: webhookClient,
              random,
              clientConfig: clientConfig ?? {},
              reviewVersions: conversionReviewVersions ?? [],
            }),
        },
      }),
    );
    definitions.start();
  }

  #startControllers(): void {
    if (this.#controllers !== undefined) return;
    const { store, clock, random, logger, identity } = this.#options;
    const { ledger } = this.#scope.add(installQuotaAdmission(this.admission, this));
    this.#controllers = this.#scope.add(
      startControllers({
        registry: this.registry,
        store,
        clock,
        random,
        logger,
        identity,
        authorizer: this.access.authorizer,
        keys: this.#keys,
        ledger,
        controllers: this.#options.controllers,
        clusterIp: this.#clusterIp,
        address: () => this.#advertised(),
        serverUrl: () => this.#advertisedUrl(),
      }),
    );
  }

  /** Returns the address for Endpoints, which must not contain loopback addresses. Undefined on a host without a network. */
  #advertised(): { readonly ip: string; readonly port: number } | undefined {
    const address = this.address;
    if (address === undefined) return undefined;
    const ip = advertisedAddress(address.address);
    return ip === undefined ? undefined : { ip, port: address.port };
  }

  #advertisedUrl(): string | undefined {
    if (this.#options.advertisedUrl !== undefined) return this.#options.advertisedUrl;
    const { address } = this;
    if (address === undefined) return undefined;
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `https://${host}:${address.port}`;
  }

  #createHandler(): ApiHandler {
    const { clock, random, logger } = this.#options;
    for (const [path, document] of this.access.documents) this.#documents.set(path, document);
    this.#documents.set(
      '/metrics',
      metricsDocument(() => [this.metrics, ...this.#metricsBeside]),
    );
    const metrics = new PrometheusRequestMetrics(this.metrics);
    const { audit, parseLargeYaml } = this.#options;
    return new ApiHandler({
      registry: this.registry,
      resolveUser: (credentials, access, observer) => this.access.resolveUser(credentials, access, observer),
      authorizer: this.access.authorizer,
      clock,
      random,
      logger,
      metrics,
      decodeProtobuf,
      ...(parseLargeYaml && { parseLargeYaml }),
      ...(audit && { auditor: new Auditor({ ...audit, clock, metrics: this.metrics }) }),
      documents: this.#documents,
      priorityLevels: this.#scope.add(new PriorityLevels(this.#options.store)),
      serverAddress: () => `${this.address?.address ?? ''}:${this.address?.port ?? 0}`,
    });
  }

  /** Adds metrics of another component of this process to `/metrics`, until the result is disposed of. */
  addMetrics(registry: MetricsRegistry): Disposable {
    this.#metricsBeside.add(registry);
    return { dispose: () => void this.#metricsBeside.delete(registry) };
  }

  /** Serves a document at a path to users that may `get` this non-resource URL, until the result is disposed of. */
  addDocument(path: string, document: DocumentRoute): Disposable {
    if (this.#documents.has(path)) throw new TypeError(`a document is already registered at ${path}`);
    this.#documents.set(path, document);
    return { dispose: () => void this.#documents.delete(path) };
  }
}

function servingFiles({ certificate, key }: CertificateAndKey): ServingCertificate {
  return { certificate: certificateToPem(certificate), key: privateKeyToPem(key) };
}
