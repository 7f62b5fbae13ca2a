import { readFile } from 'node:fs/promises';
import { systemClock, systemRandom } from '@slipway/base';
import {
  answeredObjects,
  type ConnectionAnswers,
  type DriverAnswers,
  readCertificate,
  readStatus,
  writeObjects,
} from '@slipway/drivers';
import type { ConfigureFlags } from '../commands/drivers-configure.js';
import { withTarget } from '../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../errors/index.js';
import { printObjects } from '../generate/print-objects.js';
import { follow } from './drivers-follow.js';
import { readPassword } from './drivers-password.js';

/** Connects the drivers to vCenter: from flags, a file, or questions. */
export async function configureDrivers(flags: ConfigureFlags): Promise<ExitCode> {
  const answers = await answersOf(flags);
  const objects = answeredObjects(answers);
  if (flags.printYaml === true) {
    await printObjects(objects, flags.output);
    return exitCodes.ok;
  }
  return withTarget(flags, async ({ client }, signal) => {
    const { operator, vdoConfig } = await readStatus(client, signal);
    if (operator === undefined)
      throw new CliError('the operator is not deployed', {
        remedy: '`slipway drivers deploy`',
        exitCode: exitCodes.notRunning,
      });
    if (vdoConfig !== undefined && vdoConfig.metadata.name !== answers.name)
      throw new CliError(`the drivers are configured by VDOConfig ${vdoConfig.metadata.name ?? ''}`, {
        remedy: `--name ${vdoConfig.metadata.name ?? ''} changes it`,
        exitCode: exitCodes.inUse,
      });
    await writeObjects(client, objects, { signal, say: (text) => void process.stdout.write(`${text}\n`) });
    const code = flags.wait === false ? exitCodes.ok : await follow(client, flags, signal, 'drivers', systemClock);
    process.stdout.write('`slipway drivers status` tells how they are.\n');
    return code;
  });
}

async function answersOf(flags: ConfigureFlags): Promise<DriverAnswers> {
  if (flags.fromFile !== undefined) {
    const { parse } = await import('yaml');
    const read = parse(await readFile(flags.fromFile, 'utf8')) as Partial<DriverAnswers> | null;
    if (!Array.isArray(read?.csi))
      throw new CliError(`${flags.fromFile} has no csi, a list of connections`, { exitCode: exitCodes.usage });
    return { ...read, name: read.name ?? flags.name ?? nameOf(), csi: read.csi, cpi: read.cpi } as DriverAnswers;
  }
  const connection = flags.vcenter === undefined ? await askConnection() : await flagConnection(flags);
  return { name: flags.name ?? nameOf(), cpi: flags.cpi ? [connection] : undefined, csi: [connection] };
}

const nameOf = (): string => `vdo-config${Buffer.from(systemRandom.bytes(4)).toString('hex')}`;

async function flagConnection(flags: ConfigureFlags): Promise<ConnectionAnswers> {
  const { vcenter = '', username, datacenter = [] } = flags;
  const usage = (message: string, remedy: string): CliError =>
    new CliError(message, { remedy, exitCode: exitCodes.usage });
  if (datacenter.length === 0) throw usage('no datacenter is named', '--datacenter NAME');
  if (username === undefined && flags.secretName === undefined)
    throw usage('no account is named', '--username with --password-stdin, or --secret-name');
  const account =
    username === undefined
      ? undefined
      : {
          username,
          password: await readPassword(flags.passwordStdin === true, `The password of ${username}`, '--password-stdin'),
        };
  return {
    server: vcenter,
    ...(flags.port !== undefined && { port: flags.port }),
    insecure: flags.insecure === true,
    ...(flags.thumbprint !== undefined && { thumbprint: flags.thumbprint }),
    datacenters: datacenter.flatMap((each) => each.split(',')),
    ...(account && { account }),
    ...(flags.secretName !== undefined && { secretName: flags.secretName }),
  };
}

/** One question after the other; the certificate of the server is shown, so that it need not be typed. */
async function askConnection(): Promise<ConnectionAnswers> {
  if (!process.stdin.isTTY)
    throw new CliError('no vCenter is named', {
      remedy: '--vcenter with --datacenter and an account, or --from-file; at a terminal it is asked for',
      exitCode: exitCodes.usage,
    });
  const { askPassword, askText, askYes } = await import('./drivers-ask.js');
  const server = await askText('Which vCenter? A name or an address');
  const { sha256 } = await readCertificate(server, 443, systemClock);
  const isTrusted = await askYes(`Its certificate has the SHA-256 thumbprint ${sha256}. Trust it?`);
  if (!isTrusted)
    throw new CliError('the certificate is not trusted', {
      remedy: 'ask who runs the vCenter for its thumbprint',
      exitCode: exitCodes.interrupted,
    });
  const username = await askText('Which user? user@domain');
  const password = await askPassword(`The password of ${username}`);
  const datacenters = (await askText('Which datacenters? Separated by commas')).split(',');
  return { server, insecure: false, thumbprint: sha256, datacenters, account: { username, password } };
}
