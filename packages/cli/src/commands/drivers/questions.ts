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
import { askPassword, askText, askYes, tellProblem } from '../../terminal/prompts.js';

type Server = Pick<ConnectionAnswers, 'server' | 'port' | 'thumbprint' | 'insecure'>;
type Account = NonNullable<ConnectionAnswers['account']>;

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** One question after the other, the usual answer first. vCenter is asked at once, so that nothing wrong is written. */
export async function askAnswers(name: string): Promise<DriverAnswers> {
  const hasCpi = await askYes('Install the cloud provider (CPI) as well? No: the cluster has another one');
  const connection = await askConnection();
  const isShared = !hasCpi || !(await askYes('Has the storage driver an account of its own?', false));
  const csi = isShared ? connection : await askConnection(connection);
  const topology = (await askYes('Do tags name zones and regions?', false)) ? await askTopology() : undefined;
  const kubelet = (await askYes('Is the kubelet elsewhere than in /var/lib/kubelet?', false))
    ? await askText('Where?', '/')
    : undefined;
  const fileVolumes = (await askYes('Are there file volumes?', false)) ? await askFileVolumes() : undefined;
  return {
    name,
    cpi: hasCpi ? [connection] : undefined,
    csi: [csi],
    ...(topology && { topology, topologyCategories: [topology.region, topology.zone] }),
    ...(kubelet !== undefined && { customKubeletPath: kubelet }),
    ...(fileVolumes && { fileVolumes }),
  };
}

/** Asks again for what vCenter did not accept, and for nothing else. */
async function askConnection(known?: Server & Pick<ConnectionAnswers, 'datacenters'>): Promise<ConnectionAnswers> {
  let server = known ?? (await askServer());
  let account = await askAccount();
  let datacenters = known?.datacenters ?? (await askDatacenters());
  for (;;) {
    const problem = await tryOut({ ...server, datacenters, account }, account);
    if (problem === undefined) return { ...server, datacenters, account };
    tellProblem(`${problem.message}; ${remedyOf(problem.reason) ?? ''}`);
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

/** The certificate of the server is shown, so that its thumbprint need not be typed. */
async function askServer(): Promise<Server> {
  const { host, port } = parseServerAddress(await askText('Which vCenter? A name or an address'));
  const { sha256 } = await readCertificate(host, port, systemClock);
  if (!(await askYes(`Its certificate has the SHA-256 thumbprint ${sha256}. Trust it?`)))
    throw new CliError('the certificate is not trusted', {
      remedy: 'ask who runs the vCenter for its thumbprint',
      exitCode: exitCodes.interrupted,
    });
  return { server: host, port, insecure: false, thumbprint: sha256 };
}

async function askAccount(): Promise<Account> {
  const username = await askText('Which user? user@domain');
  return { username, password: await askPassword(`The password of ${username}`) };
}

async function askDatacenters(): Promise<string[]> {
  return listOf(await askText('Which datacenters? Separated by commas'));
}

async function askTopology(): Promise<{ readonly zone: string; readonly region: string }> {
  const region = await askText('Which category of tags names regions?', 'k8s-region');
  return { region, zone: await askText('Which category of tags names zones?', 'k8s-zone') };
}

async function askFileVolumes(): Promise<NonNullable<DriverAnswers['fileVolumes']>> {
  const vsanFileShareClusters = listOf(await askText('On which vSAN clusters? Separated by commas'));
  const ips = await askText('Who may use them? *, an address, a range or a subnet', '*');
  const isReadOnly = await askYes('Only to read?', false);
  const isRootAllowed = await askYes('Is root allowed?');
  const permissions = isReadOnly ? 'READ_ONLY' : 'READ_WRITE';
  return { vsanFileShareClusters, netPermissions: [{ ips, permissions, rootSquash: !isRootAllowed }] };
}

async function tryOut(answers: ConnectionAnswers, account: Account): Promise<DriverError | undefined> {
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
