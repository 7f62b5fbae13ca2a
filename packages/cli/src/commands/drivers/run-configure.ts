import { readFile } from 'node:fs/promises';
import { systemClock, systemRandom } from '@slipway/base';
import {
  accountSecret,
  answeredObjects,
  checkSecret,
  type ConnectionAnswers,
  type DriverAnswers,
  readStatus,
  writeObjects,
} from '@slipway/drivers';
import { parseYamlValue } from '@slipway/kube';
import { commandWriter, withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { printObjects } from '../../output/index.js';
import { readPassword } from '../../terminal/input.js';
import type { ConfigureFlags, SecretFlags } from './configure-command.js';
import { follow } from './follow.js';

/** Connects the drivers to vCenter with values from flags, a file or prompts. */
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
        remedy: 'deploy it with `slipway drivers deploy`',
        exitCode: exitCodes.notRunning,
      });
    if (vdoConfig !== undefined && vdoConfig.metadata.name !== answers.name)
      throw new CliError(`the drivers are already configured by VDOConfig ${vdoConfig.metadata.name ?? ''}`, {
        remedy: `to change it, add --name ${vdoConfig.metadata.name ?? ''}`,
        exitCode: exitCodes.inUse,
      });
    await writeObjects(commandWriter(client, signal), objects, {
      signal,
      say: (text) => void process.stdout.write(`${text}\n`),
    });
    const code = flags.wait === false ? exitCodes.ok : await follow(client, flags, signal, 'drivers', systemClock);
    process.stdout.write('Check the drivers with `slipway drivers status`.\n');
    return code;
  });
}

async function answersOf(flags: ConfigureFlags): Promise<DriverAnswers> {
  if (flags.fromFile !== undefined) {
    const read = parseYamlValue(await readFile(flags.fromFile, 'utf8')) as Partial<DriverAnswers> | null;
    if (!Array.isArray(read?.csi))
      throw new CliError(`${flags.fromFile}: the field csi is required and must be a list of connections`, {
        exitCode: exitCodes.usage,
      });
    return { ...read, name: read.name ?? flags.name ?? nameOf(), csi: read.csi, cpi: read.cpi } as DriverAnswers;
  }
  if (flags.vcenter === undefined) return askedAnswers(flags);
  const connection = await flagConnection(flags);
  return { name: flags.name ?? nameOf(), cpi: flags.cpi ? [connection] : undefined, csi: [connection] };
}

const nameOf = (): string => `vdo-config${Buffer.from(systemRandom.bytes(4)).toString('hex')}`;

async function flagConnection(flags: ConfigureFlags): Promise<ConnectionAnswers> {
  const { vcenter = '', username, datacenter = [] } = flags;
  const usage = (message: string, remedy: string): CliError =>
    new CliError(message, { remedy, exitCode: exitCodes.usage });
  if (datacenter.length === 0) throw usage('a datacenter is required', 'set --datacenter NAME');
  if (username === undefined && flags.secretName === undefined)
    throw usage('a vCenter account is required', 'set --username with --password-stdin, or --secret-name');
  const account =
    username === undefined
      ? undefined
      : {
          username,
          password: await readPassword(flags.passwordStdin === true, `Password of ${username}`, '--password-stdin'),
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

async function askedAnswers(flags: ConfigureFlags): Promise<DriverAnswers> {
  if (!process.stdin.isTTY)
    throw new CliError('a vCenter is required', {
      remedy: 'set --vcenter, --datacenter and an account, or --from-file; on a terminal the command prompts for them',
      exitCode: exitCodes.usage,
    });
  const { askAnswers } = await import('./questions.js');
  return askAnswers(flags.name ?? nameOf());
}

export async function setSecret(flags: SecretFlags): Promise<ExitCode> {
  if (flags.username === undefined)
    throw new CliError('a vCenter user is required', {
      remedy: 'set --username user@domain',
      exitCode: exitCodes.usage,
    });
  const password = await readPassword(
    flags.passwordStdin === true,
    `Password of ${flags.username}`,
    '--password-stdin',
  );
  const object = accountSecret(flags.name, { username: flags.username, password }, flags.secretNamespace);
  if (flags.printYaml === true) {
    await printObjects([object], flags.output);
    return exitCodes.ok;
  }
  return withTarget(flags, async ({ client }, signal) => {
    await writeObjects(commandWriter(client, signal), [object], {
      signal,
      say: (text) => void process.stdout.write(`${text}\n`),
    });
    return exitCodes.ok;
  });
}

export function checkSecretOf(flags: SecretFlags): Promise<ExitCode> {
  return withTarget(flags, async ({ client }, signal) => {
    const problem = await checkSecret(client, flags.secretNamespace, flags.name, signal);
    if (problem !== undefined) throw new CliError(problem, { remedy: 'update it with `slipway drivers secrets set`' });
    process.stdout.write(`Secret ${flags.secretNamespace}/${flags.name} has the keys that the drivers read\n`);
    return exitCodes.ok;
  });
}
