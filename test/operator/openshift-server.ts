import { Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import { clusterApiControllers, clusterApiKinds } from '@slipway/cluster-api';
import { applyObject } from '@slipway/clusterctl';
import { isReason, type KubeObject, parseApiVersion, toCustomResourceDefinition } from '@slipway/kube';
import {
  createMachineMigration,
  createOpenShiftOperator,
  featureGates,
  findPlatform,
  nodeBootstrapper,
  openShiftKinds,
  payloadObjects,
  type Platform,
  readApproverSettings,
  runApprover,
  signers,
} from '@slipway/openshift';
import { createSigningRequest, generatePrivateKey, type SigningRequestTemplate } from '@slipway/pki';
import {
  createSimulatedMachineApi,
  createSimulatedProvider,
  seedObjects,
  simulatedAssets,
  simulatedKinds,
  simulatedNetworkService,
  type SimulatedOptions,
} from '@slipway/simulators';
import { operatorKinds } from '@slipway/operator';
import { ensureDefinitions } from '@slipway/plane';
import {
  certificateSigningRequests,
  type Client,
  composeControllers,
  connectionOf,
  createHttpClient,
  createManager,
  type HttpClient,
  keyOf,
  parseKubeconfig,
  selectControllers,
  ChangeExecutor,
  remoteCluster,
} from '@slipway/runtime';
import { type RealKubeApiserver, startRealKubeApiserver } from '../support/real-kube-apiserver.js';

export const infraName = 'demo-x7k2p';
const version = '4.20.0';
const environment = { clock: systemClock, random: systemRandom, logger: silentLogger };

/** An OpenShift cluster whose API server is the real one. */
export class OpenShiftServer {
  readonly #scope = new Scope();

  private constructor(
    readonly server: RealKubeApiserver,
    readonly client: HttpClient,
    /** A user with all permissions who is not a controller. */
    readonly person: HttpClient,
    readonly metricsPort: () => number | undefined,
    scope: Scope,
  ) {
    this.#scope = scope;
  }

  static async start(): Promise<OpenShiftServer> {
    const scope = new Scope();
    const server = await startRealKubeApiserver({
      controllerManager: true,
      controllerManagerFlags: (folder) => ({
        'cluster-signing-cert-file': `${folder}/ca.crt`,
        'cluster-signing-key-file': `${folder}/ca.key`,
      }),
    });
    scope.defer(() => server.stop());
    const connect = (kubeconfig: string): HttpClient => {
      const client = createHttpClient(connectionOf(parseKubeconfig(kubeconfig)));
      scope.defer(() => client.close());
      return client;
    };
    const platform = findPlatform('AWS') as Platform;
    const client = connect(server.kubeconfigFor('controllers', ['system:masters']));
    const kinds = [...clusterApiKinds, ...openShiftKinds, ...operatorKinds, ...simulatedKinds(platform)];
    await ensureDefinitions(
      client,
      kinds.map((kind) => toCustomResourceDefinition(kind)),
      environment,
    );
    await seed(client, platform);
    const users = new Map<string, Client>();
    const clientAs = ({ username, groups }: { readonly username: string; readonly groups: readonly string[] }) => {
      const known = users.get(username);
      if (known !== undefined) return known;
      const made = connectAs(server, username, groups);
      scope.defer(() => made.close());
      users.set(username, made);
      return made;
    };
    const clusterAs: SimulatedOptions['clusterAs'] = (user) => remoteCluster(user.username, clientAs(user));
    const simulator = { platform, clusterAs };
    const operator = createOpenShiftOperator({
      version,
      assets: simulatedAssets(),
      server: server.url,
      networkService: simulatedNetworkService(),
      controllerUsers: ['controllers'],
    });
    const sets = [
      clusterApiControllers,
      operator,
      createMachineMigration({ version }),
      createSimulatedProvider(simulator),
      createSimulatedMachineApi(simulator),
    ];
    const composition = composeControllers({ ...environment, client, chosen: selectControllers(sets) });
    const { controllers, sources } = composition;
    const manager = createManager({
      ...environment,
      client,
      name: 'openshift',
      controllers,
      sources,
      gracefulStopMs: 100,
    });
    scope.add(composition);
    scope.defer(() => manager.stop());
    await manager.start();
    const settings = readApproverSettings(
      { apiGroupVersion: ['cluster.x-k8s.io', 'machine.openshift.io'], maxConcurrentReconciles: 4 },
      { METRICS_PORT: '0', METRICS_BIND_ADDRESS: '127.0.0.1', RELEASE_VERSION: version },
    );
    const approver = await runApprover({ ...environment, settings, workload: client, management: client });
    scope.defer(() => approver.stop());
    const person = connect(server.kubeconfigFor('person', ['system:masters']));
    return new OpenShiftServer(server, client, person, () => approver.metricsPort, scope);
  }

  async setFeatureSet(featureSet: string): Promise<void> {
    const patch = { spec: { featureSet } };
    await this.person.patch(featureGates, { namespace: '', name: 'cluster' }, { type: 'merge', patch });
  }

  async stop(): Promise<void> {
    await this.#scope.dispose();
  }
}

/** Returns a client that the server authenticates as the user, like a kubelet with its own credentials. */
export function connectAs({ kubeconfig }: RealKubeApiserver, user: string, groups: readonly string[]): HttpClient {
  const impersonate = { user, groups: groups.filter((group) => group !== 'system:authenticated') };
  return createHttpClient({ ...connectionOf(parseKubeconfig(kubeconfig)), impersonate });
}

const kubeletKey = generatePrivateKey('ECDSA');

/** Creates a CSR as a kubelet does, from the authenticated user of the client. */
export async function ask(
  client: Client,
  name: string,
  nodeName: string,
  purpose: 'client' | 'serving',
  names: Pick<SigningRequestTemplate, 'dnsNames' | 'ipAddresses'> = {},
): Promise<void> {
  const subject = { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] };
  const pem = await createSigningRequest({ subject, ...names }, await kubeletKey);
  await client.create(certificateSigningRequests, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      signerName: purpose === 'client' ? signers.kubeletClient : signers.kubeletServing,
      usages: ['digital signature', purpose === 'client' ? 'client auth' : 'server auth'],
    },
  });
}

/** Creates the objects that the installer and the release create in a cluster. */
export async function seed(
  client: Client,
  platform: Platform,
  payload: readonly KubeObject[] = payloadObjects(simulatedAssets()),
): Promise<void> {
  for (const { object, status } of seedObjects({ platform, version, infraName })) {
    const { group, version: apiVersion } = parseApiVersion(object.apiVersion);
    const resource = await client.resourceFor({ group, version: apiVersion, kind: object.kind });
    if (resource === undefined) throw new Error(`nothing serves ${object.kind}`);
    try {
      await client.create(resource, object);
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
    const patch = { status: status ?? {} };
    if (status !== undefined)
      await client.patch(resource, keyOf(object), { type: 'merge', patch }, { subresource: 'status' });
  }
  const writer = new ChangeExecutor({ client, clock: systemClock, controller: 'test' });
  for (const object of [...payload, ...kubeletRights()])
    await applyObject(writer, object, { fieldManager: 'release', reason: 'Test', message: 'Applied' });
}

/** Returns the permissions of new machines and nodes on OpenShift. */
function kubeletRights(): readonly KubeObject[] {
  const api = 'rbac.authorization.k8s.io';
  const name = 'kubelets-may-ask';
  const groups = ['system:nodes', nodeBootstrapper.groups[0]];
  return [
    {
      apiVersion: `${api}/v1`,
      kind: 'ClusterRole',
      metadata: { name },
      rules: [
        {
          apiGroups: ['certificates.k8s.io'],
          resources: ['certificatesigningrequests'],
          verbs: ['create', 'get', 'list', 'watch'],
        },
      ],
    },
    {
      apiVersion: `${api}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: api, kind: 'ClusterRole', name },
      subjects: groups.map((group) => ({ apiGroup: api, kind: 'Group', name: group })),
    },
  ];
}
