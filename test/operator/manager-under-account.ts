import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import { clusterApiControllers, clusterApiKinds, machines, machineSets } from '@slipway/cluster-api';
import { applyObject } from '@slipway/clusterctl';
import { type KubeObject, parseManifest, toCustomResourceDefinition } from '@slipway/kube';
import {
  createApprover,
  featureGates,
  findPlatform,
  mapiMachineSets,
  openShiftAccount,
  openShiftKinds,
  type Platform,
} from '@slipway/openshift';
import { certificateToPem, generatePrivateKey, privateKeyToPem, selfSign, servingTemplate } from '@slipway/pki';
import {
  createSimulatedDeployments,
  createSimulatedMachineApi,
  createSimulatedProvider,
  simulatedKinds,
  type SimulatedOptions,
} from '@slipway/simulators';
import { ensureDefinitions } from '@slipway/plane';
import {
  type Client,
  composeControllers,
  connectionOf,
  createHttpClient,
  createManager,
  type HttpClient,
  parseKubeconfig,
  type Resource,
  selectControllers,
  ChangeExecutor,
  remoteCluster,
} from '@slipway/runtime';
import { freePorts, type PeerProcess, startPeer } from '../support/peer-process.js';
import { type RealKubeApiserver, startRealKubeApiserver } from '../support/real-kube-apiserver.js';
import {
  accountKubeconfig,
  auditFlags,
  refusedRequests,
  untilOwnersKnown,
  untilRolesCount,
} from './audited-account.js';
import { writeOpenShiftReleases } from './openshift-releases.js';
import { connectAs, seed } from './openshift-server.js';
import { installedSlipway } from '../../packages/cli/test/support/installed.js';

const environment = { clock: systemClock, random: systemRandom, logger: silentLogger };
const aws = findPlatform('AWS') as Platform;
const controllers = { ...openShiftAccount, name: 'capi-controllers' };
const migrationGate = 'release.openshift.io/feature-gate';

/** An OpenShift cluster with the objects of the payload, and the manager running with the payload's ServiceAccount. */
export class ManagerUnderAccount {
  readonly #scope = new Scope();
  readonly #folder = mkdtempSync(join(tmpdir(), 'openshift-manager-'));
  #withheld: readonly KubeObject[] = [];
  #manager: PeerProcess | undefined;
  #client: HttpClient | undefined;
  #exempt: HttpClient | undefined;
  #webhookPort = 0;

  static async start(): Promise<ManagerUnderAccount> {
    const made = new ManagerUnderAccount();
    try {
      await made.#start();
      return made;
    } catch (error) {
      await made.stop();
      throw error;
    }
  }

  /** A client with all permissions. */
  get client(): HttpClient {
    if (this.#client === undefined) throw new Error('it is not started');
    return this.#client;
  }

  /** A client whose user name the migration policies exempt, because policies may read an outdated twin object. */
  get exempt(): HttpClient {
    if (this.#exempt === undefined) throw new Error('it is not started');
    return this.#exempt;
  }

  /** Forbidden requests of the manager, and of Cluster API with the kubeconfig that the manager maintains. */
  refused(): readonly string[] {
    return refusedRequests(this.#folder);
  }

  infra(kind: string): Resource {
    const { version } = aws;
    const plural = `${kind.toLowerCase()}s`;
    return { group: 'infrastructure.cluster.x-k8s.io', version, kind, plural, namespaced: true };
  }

  async setFeatureSet(featureSet: string): Promise<void> {
    const patch = { spec: { featureSet } };
    await this.client.patch(featureGates, { namespace: '', name: 'cluster' }, { type: 'merge', patch });
  }

  /** Creates the objects that the release installs with the migration feature gate. */
  async allowMigration(): Promise<void> {
    const writer = new ChangeExecutor({ client: this.client, clock: systemClock, controller: 'test' });
    for (const object of this.#withheld)
      await applyObject(writer, object, { fieldManager: 'release', reason: 'Test', message: 'Applied' });
    await untilRolesCount(this.client, openShiftAccount, this.#withheld);
    await untilOwnersKnown(this.client, openShiftAccount.namespace, [machines, machineSets, mapiMachineSets]);
  }

  /** Simulates an OpenShift release with another version of the platform's provider, which restarts the manager. */
  async release(version: string): Promise<void> {
    await this.#manager?.stop();
    this.#writeReleases(version);
    this.#startManager();
  }

  async stop(): Promise<void> {
    await this.#manager?.stop();
    await this.#scope.dispose();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    const server = await startRealKubeApiserver({
      // OpenShift enables OwnerReferencesPermissionEnforcement: setting blockOwnerDeletion needs permission on the owner.
      flags: {
        ...auditFlags(this.#folder, [openShiftAccount, controllers]),
        'enable-admission-plugins': 'OwnerReferencesPermissionEnforcement',
      },
      controllerManager: true,
      controllerManagerFlags: (folder) => ({
        controllers: '*,-deployment-controller',
        'cluster-signing-cert-file': `${folder}/ca.crt`,
        'cluster-signing-key-file': `${folder}/ca.key`,
      }),
    });
    this.#scope.defer(() => server.stop());
    const connect = (user: string): HttpClient => {
      const made = createHttpClient(connectionOf(parseKubeconfig(server.kubeconfigFor(user, ['system:masters']))));
      this.#scope.defer(() => made.close());
      return made;
    };
    const client = connect('person');
    this.#client = client;
    const kinds = [...clusterApiKinds, ...openShiftKinds, ...simulatedKinds(aws)];
    await ensureDefinitions(
      client,
      kinds.map((kind) => toCustomResourceDefinition(kind)),
      environment,
    );
    this.#writeReleases('v2.9.0');
    [this.#webhookPort = 0] = await freePorts(1);
    const payload = await this.#payload();
    this.#withheld = payload.filter(isForMigration);
    await seed(
      client,
      aws,
      payload.filter((object) => !isForMigration(object)),
    );
    const exempt = connect(`system:serviceaccount:${controllers.namespace}:${controllers.name}`);
    this.#exempt = exempt;
    await this.#startSimulateds(server, exempt);
    for (const account of [openShiftAccount, controllers])
      await untilRolesCount(
        client,
        account,
        payload.filter((object) => isRoleOf(object, account.name)),
      );
    const own = await accountKubeconfig(client, server, openShiftAccount);
    writeFileSync(join(this.#folder, 'kubeconfig'), own, { mode: 0o600 });
    this.#startManager();
  }

  /** Returns the payload as the command prints it, with webhooks that need neither a Service nor a service CA. */
  async #payload(): Promise<readonly KubeObject[]> {
    const key = await generatePrivateKey('ECDSA');
    const certificate = certificateToPem(await selfSign(environment, servingTemplate('webhooks', ['127.0.0.1']), key));
    mkdirSync(join(this.#folder, 'webhooks'));
    writeFileSync(join(this.#folder, 'webhooks', 'tls.crt'), certificate);
    writeFileSync(join(this.#folder, 'webhooks', 'tls.key'), privateKeyToPem(key), { mode: 0o600 });
    const args = ['operator', 'openshift-payload', '--openshift-releases', join(this.#folder, 'releases')];
    const { stdout } = await promisify(execFile)(process.execPath, [installedSlipway, ...args], {
      maxBuffer: 64 * 1024 * 1024,
    });
    const caBundle = Buffer.from(certificate).toString('base64');
    return parseManifest(stdout).map((object) => this.#reachable(object, caBundle));
  }

  #reachable(object: KubeObject, caBundle: string): KubeObject {
    const asked = object['webhooks'] as readonly { readonly clientConfig: { readonly service?: { path?: string } } }[];
    if (!object.kind.endsWith('WebhookConfiguration')) return object;
    return {
      ...object,
      webhooks: asked.map(({ clientConfig, ...webhook }) => ({
        ...webhook,
        clientConfig: { url: `https://127.0.0.1:${this.#webhookPort}${clientConfig.service?.path ?? ''}`, caBundle },
      })),
    };
  }

  async #startSimulateds(server: RealKubeApiserver, client: Client): Promise<void> {
    const users = new Map<string, HttpClient>();
    const clientAs = ({ username, groups }: { readonly username: string; readonly groups: readonly string[] }) => {
      const made = users.get(username) ?? connectAs(server, username, groups);
      users.set(username, made);
      return made;
    };
    this.#scope.defer(() => {
      for (const each of users.values()) each.close();
    });
    const clusterAs: SimulatedOptions['clusterAs'] = (user) => remoteCluster(user.username, clientAs(user));
    const simulator = { platform: aws, clusterAs };
    const sets = [
      clusterApiControllers,
      createSimulatedDeployments(),
      createSimulatedProvider(simulator),
      createSimulatedMachineApi(simulator),
      createApprover({ apis: [{ group: 'cluster.x-k8s.io' }, { group: 'machine.openshift.io' }] }),
    ];
    const composition = composeControllers({ ...environment, client, chosen: selectControllers(sets) });
    const { controllers, sources } = composition;
    const manager = createManager({
      ...environment,
      client,
      name: 'simulators',
      controllers,
      sources,
      gracefulStopMs: 100,
    });
    this.#scope.add(composition);
    this.#scope.defer(() => manager.stop());
    await manager.start();
  }

  #startManager(): void {
    const flags = {
      'openshift-releases': join(this.#folder, 'releases'),
      kubeconfig: join(this.#folder, 'kubeconfig'),
      'webhook-cert-dir': join(this.#folder, 'webhooks'),
      'webhook-host': '127.0.0.1',
      'webhook-port': String(this.#webhookPort),
      'health-addr': '0',
      'diagnostics-address': '0',
      'log-format': 'json',
    };
    const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
    this.#manager = startPeer(process.execPath, [installedSlipway, 'manager', '--leader-elect', ...args], {
      RELEASE_VERSION: '4.20.0',
    });
  }

  #writeReleases(version: string): void {
    writeOpenShiftReleases(join(this.#folder, 'releases'), version);
  }
}

function isRoleOf({ kind, metadata }: KubeObject, account: string): boolean {
  return kind.endsWith('Role') && metadata.name === `openshift-cluster-api-${account}`;
}

function isForMigration({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[migrationGate] !== undefined;
}
