import { silentLogger, systemClock } from '@slipway/base';
import {
  type ConnectionAnswers,
  createVimVCenters,
  type DriverAnswers,
  DriverError,
  readCertificate,
  remedyOf,
} from '@slipway/drivers';
import { parseServerAddress, SessionPool } from '@slipway/vsphere';
import { CliError, exitCodes } from '../../errors/index.js';
import { askPassword, askText, askYes, printProblem } from '../../terminal/prompts.js';

type Server = Pick<ConnectionAnswers, 'server' | 'port' | 'thumbprint' | 'insecure'>;
type Account = NonNullable<ConnectionAnswers['account']>;

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** Prompts for all values, with defaults. Each value is checked against vCenter before anything is written. */
export async function askAnswers(name: string): Promise<DriverAnswers> {
  const hasCpi = await askYes('Install the cloud provider (CPI)? Answer no if the cluster has another cloud provider');
  const connection = await askConnection();
  const isShared = !hasCpi || !(await askYes('Does the storage driver use a separate vCenter account?', false));
  const csi = isShared ? connection : await askConnection(connection);
  const topology = (await askYes('Do vSphere tags define zones and regions?', false)) ? await askTopology() : undefined;
  const kubelet = (await askYes('Is the kubelet directory different from /var/lib/kubelet?', false))
    ? await askText('Where?', '/')
    : undefined;
  const fileVolumes = (await askYes('Configure file volumes?', false)) ? await askFileVolumes() : undefined;
  return {
    name,
    cpi: hasCpi ? [connection] : undefined,
    csi: [csi],
    ...(topology && { topology, topologyCategories: [topology.region, topology.zone] }),
    ...(kubelet !== undefined && { customKubeletPath: kubelet }),
    ...(fileVolumes && { fileVolumes }),
  };
}

/** Prompts again only for the values that vCenter rejected. */
async function askConnection(known?: Server & Pick<ConnectionAnswers, 'datacenters'>): Promise<ConnectionAnswers> {
  let server = known ?? (await askServer());
  let account = await askAccount();
  let datacenters = known?.datacenters ?? (await askDatacenters());
  for (;;) {
    const problem = await checkConnection({ ...server, datacenters, account }, account);
    if (problem === undefined) return { ...server, datacenters, account };
    printProblem(`${problem.message}; ${remedyOf(problem.reason) ?? ''}`);
    switch (problem.reason) {
      case 'DatacenterNotFound':
      case 'DatacenterAmbiguous':
        datacenters = await askDatacenters();
        break;
      case 'InvalidLogin':
      case 'AccountLocked':
      case 'PasswordExpired':
        account = await askAccount();
        break;
      default:
        server = await askServer();
    }
  }
}

/** Shows the thumbprint of the server certificate, so that the user can confirm it instead of typing it. */
async function askServer(): Promise<Server> {
  const { host, port } = parseServerAddress(await askText('Host name or IP address of vCenter'));
  const { sha256 } = await readCertificate(host, port, systemClock);
  if (!(await askYes(`The SHA-256 thumbprint of the vCenter certificate is ${sha256}. Trust it?`)))
    throw new CliError('the certificate is not trusted', {
      remedy: 'ask the vCenter administrator for the thumbprint',
      exitCode: exitCodes.interrupted,
    });
  return { server: host, port, insecure: false, thumbprint: sha256 };
}

async function askAccount(): Promise<Account> {
  const username = await askText('vCenter user, as user@domain');
  return { username, password: await askPassword(`Password of ${username}`) };
}

async function askDatacenters(): Promise<string[]> {
  return listOf(await askText('Datacenters, comma-separated'));
}

async function askTopology(): Promise<{ readonly zone: string; readonly region: string }> {
  const region = await askText('Tag category of regions', 'k8s-region');
  return { region, zone: await askText('Tag category of zones', 'k8s-zone') };
}

async function askFileVolumes(): Promise<NonNullable<DriverAnswers['fileVolumes']>> {
  const vsanFileShareClusters = listOf(await askText('vSAN clusters for file volumes, comma-separated'));
  const ips = await askText('Clients that can access file volumes: *, an IP address, a range or a subnet', '*');
  const isReadOnly = await askYes('Read-only access?', false);
  const isRootAllowed = await askYes('Allow root access?');
  const permissions = isReadOnly ? 'READ_ONLY' : 'READ_WRITE';
  return { vsanFileShareClusters, netPermissions: [{ ips, permissions, rootSquash: !isRootAllowed }] };
}

async function checkConnection(answers: ConnectionAnswers, account: Account): Promise<DriverError | undefined> {
  const sessions = new SessionPool({ clock: systemClock, logger: silentLogger });
  const target = { datastores: [], clusters: [], folders: [], usedBy: { cpi: false, csi: false, fileVolumes: false } };
  try {
    const { server, port = 443, insecure, thumbprint, datacenters } = answers;
    const vcenters = createVimVCenters(sessions, systemClock);
    const given = { ...target, server, port, insecure, thumbprint, datacenters, ...account };
    await vcenters.check(given, new AbortController().signal);
    return undefined;
  } catch (error) {
    if (error instanceof DriverError) return error;
    throw error;
  } finally {
    await sessions.dispose();
  }
}
