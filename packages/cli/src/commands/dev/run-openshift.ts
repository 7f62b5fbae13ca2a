import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { isReason, type JsonObject, parseApiVersion } from '@slipway/kube';
import { featureGates, payloadObjects, platforms } from '@slipway/openshift';
import { type SeedObject, seedObjects, simulatedAssets } from '@slipway/simulators';
import { type Client, keyOf } from '@slipway/runtime';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { dataDirectory } from '../../instance/index.js';
import { startPlane } from '../../plane/start-plane.js';
import { openLog } from '../../process/open-log.js';
import { stopSignal } from '../../process/stop-signal.js';
import type { DevOpenShiftOptions } from './command.js';
import { openShiftBundle } from './openshift-bundle.js';

const bind = '127.0.0.1';
const version = '4.20.0';
const infraName = 'demo-x7k2p';

/** Runs a simulated OpenShift cluster until a signal stops it. */
export async function devOpenShift(options: DevOpenShiftOptions): Promise<ExitCode> {
  const platform = platforms.find(({ type }) => type.toLowerCase() === options.platform);
  if (platform === undefined) throw new CliError(`unknown platform ${options.platform}`, { exitCode: exitCodes.usage });
  const stopRequest = stopSignal();
  const directory = dataDirectory(options.dataDir);
  const logger = openLog({ format: undefined, verbose: options.verbose ?? false });
  // The port is chosen before the server listens on it, because the kubeconfig of the cluster contains it.
  const port = options.port === 0 ? await freePort() : options.port;
  const endpoint = `https://${bind}:${port}`;
  const plane = await startPlane({
    directory,
    bind,
    port,
    kubeconfig: directory.kubeconfig,
    apiOnly: false,
    featureGates: '',
    logger,
    bundle: (server) => openShiftBundle(server, { platform, endpoint, version }),
  });
  for (const seed of [
    ...seedObjects({ platform, version, infraName }),
    ...payloadObjects(simulatedAssets()).map((object) => ({ object })),
  ])
    await seedObject(plane.client, seed);
  const featureSet = options.featureSet === 'Default' ? '' : options.featureSet;
  const gate = { type: 'merge', patch: { spec: { featureSet } } } as const;
  await plane.client.patch(featureGates, { namespace: '', name: 'cluster' }, gate);
  process.stdout.write(welcome(directory.kubeconfig, endpoint, platform.type));
  await stopRequest;
  await plane.stop();
  return exitCodes.ok;
}

async function seedObject(client: Client, { object, status }: SeedObject): Promise<void> {
  const { group, version: apiVersion } = parseApiVersion(object.apiVersion);
  const resource = await client.resourceFor({ group, version: apiVersion, kind: object.kind });
  if (resource === undefined) throw new CliError(`the server has no resource of kind ${object.kind}`);
  try {
    await client.create(resource, object);
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
    return;
  }
  if (status === undefined) return;
  const patch: JsonObject = { status };
  await client.patch(resource, keyOf(object), { type: 'merge', patch }, { subresource: 'status' });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, bind);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function welcome(kubeconfig: string, endpoint: string, platform: string): string {
  return `
A simulated OpenShift cluster on ${platform} is running at ${endpoint}.

  export KUBECONFIG=${kubeconfig}
  kubectl get clusteroperators
  kubectl get clusters.cluster.x-k8s.io -n openshift-cluster-api

Ctrl-C stops it.

`;
}
