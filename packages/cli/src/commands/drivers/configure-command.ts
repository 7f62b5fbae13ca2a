import { Command, Option } from 'commander';
import { addVerboseOption, outputOption, parsePort, type SetExitCode } from '../../options/common-options.js';
import { type DriversFlags, waiting, writing } from './options.js';

export interface ConfigureFlags extends DriversFlags {
  readonly fromFile?: string;
  readonly vcenter?: string;
  readonly port?: number;
  readonly insecure?: boolean;
  readonly thumbprint?: string;
  readonly datacenter?: readonly string[];
  readonly username?: string;
  readonly passwordStdin?: boolean;
  readonly secretName?: string;
  readonly cpi: boolean;
  readonly name?: string;
}

export interface UsersFlags extends DriversFlags {
  readonly vcenter: string;
  readonly port?: number;
  readonly insecure?: boolean;
  readonly thumbprint?: string;
  readonly adminUser: string;
  readonly adminPasswordStdin?: boolean;
  readonly for: readonly ('cpi' | 'csi')[];
  readonly name: string;
  readonly datacenter?: readonly string[];
  readonly datastore?: readonly string[];
  readonly cluster?: readonly string[];
  readonly folder?: readonly string[];
  readonly fileVolumes?: boolean;
  readonly roleSuffix: string;
  readonly secretName?: string;
  readonly secretNamespace: string;
  readonly existingUser?: boolean;
  readonly updateRoles?: boolean;
  readonly dryRun?: boolean;
}

export interface SecretFlags extends DriversFlags {
  readonly name: string;
  readonly secretNamespace: string;
  readonly username?: string;
  readonly passwordStdin?: boolean;
}

function vCenterOptions(command: Command): Command {
  return command
    .addOption(new Option('--port <number>', 'the port of vCenter').default(443).argParser(parsePort))
    .option('--insecure', 'any certificate will do')
    .option('--thumbprint <text>', 'SHA-1 or SHA-256 of the certificate of vCenter');
}

export function addConfigureCommands(parent: Command, setExitCode: SetExitCode): void {
  const configure = new Command('configure').summary('say which drivers a cluster is to have');
  const drivers = waiting(vCenterOptions(writing(new Command('drivers'))))
    .summary('connect the drivers to vCenter; asks for what is not said')
    .option('--from-file <file>', 'all answers, as YAML')
    .option('--vcenter <server>', 'a name or an address')
    .option('--datacenter <name...>', 'names or inventory paths')
    .option('--username <user>', 'user@domain')
    .option('--password-stdin', 'the password comes from standard input')
    .option('--secret-name <name>', 'a Secret in kube-system that has the account already')
    .option('--no-cpi', 'only the storage driver: the cluster has another cloud provider')
    .option('--name <name>', 'the name of the VDOConfig')
    .action(async (flags: ConfigureFlags) => {
      const { configureDrivers } = await import('./run-configure.js');
      setExitCode(await configureDrivers(flags));
    });
  const matrix = writing(new Command('compatibility-matrix'))
    .alias('cm')
    .summary('give the operator a matrix')
    .argument('[source]', 'a URL or a file')
    .action(async (source: string | undefined, flags: DriversFlags) => {
      const { configureMatrix } = await import('./run-matrix.js');
      setExitCode(await configureMatrix(source, flags));
    });
  parent.addCommand(configure.addCommand(addVerboseOption(drivers)).addCommand(addVerboseOption(matrix)));
  addUsers(parent, setExitCode);
  addSecrets(parent, setExitCode);
}

function usersOptions(command: Command): Command {
  return vCenterOptions(writing(command))
    .requiredOption('--vcenter <server>', 'a name or an address')
    .requiredOption('--admin-user <user>', 'an administrator; used for this one operation and stored nowhere')
    .option('--admin-password-stdin', 'its password comes from standard input; else it is asked for')
    .addOption(
      new Option('--for <drivers>', 'cpi, csi, or both')
        .default(['cpi', 'csi'], 'cpi,csi')
        .argParser((text: string) => text.split(',').map((each) => each.trim())),
    )
    .option('--name <name>', 'how the accounts are called, followed by the driver', 'vdo')
    .option('--secret-name <name>', 'the Secret; else <vcenter>-creds-<driver>')
    .option('--secret-namespace <name>', 'where the Secret is', 'kube-system');
}

function placesOptions(command: Command): Command {
  return command
    .option('--datacenter <name...>', 'where the nodes are')
    .option('--datastore <name...>', 'where volumes may be')
    .option('--cluster <name...>', 'on which the nodes run')
    .option('--folder <name...>', 'in which the nodes are; else all machines of the datacenters')
    .option('--file-volumes', 'what file volumes need as well')
    .option('--role-suffix <text>', 'for roles of their own: CNS-VM-<text>', '');
}

function addUsers(parent: Command, setExitCode: SetExitCode): void {
  const users = new Command('users').summary('accounts of vCenter with the least privileges');
  const create = placesOptions(usersOptions(new Command('create')))
    .summary('make roles, accounts and the Secrets for them')
    .option('--existing-user', 'the account is there already: only roles and permissions')
    .option('--update-roles', 'change roles of the same name that differ')
    .option('--dry-run', 'tell what would be done')
    .action(async (flags: UsersFlags) => {
      const { createUsers } = await import('./run-users.js');
      setExitCode(await createUsers(flags));
    });
  const update = placesOptions(usersOptions(new Command('update')))
    .summary('bring the roles and permissions of the accounts to what is named')
    .option('--dry-run', 'tell what would be done')
    .action(async (flags: UsersFlags) => {
      const { updateUsers } = await import('./run-users.js');
      setExitCode(await updateUsers(flags));
    });
  const list = usersOptions(new Command('list'))
    .summary('tell which roles the accounts have, and where')
    .addOption(outputOption())
    .action(async (flags: UsersFlags) => {
      const { listUsers } = await import('./run-users.js');
      setExitCode(await listUsers(flags));
    });
  const rotate = usersOptions(new Command('rotate'))
    .summary('give the accounts new passwords')
    .action(async (flags: UsersFlags) => {
      const { rotateUsers } = await import('./run-users.js');
      setExitCode(await rotateUsers(flags));
    });
  const remove = usersOptions(new Command('delete'))
    .summary('remove the accounts')
    .action(async (flags: UsersFlags) => {
      const { deleteUsers } = await import('./run-users.js');
      setExitCode(await deleteUsers(flags));
    });
  for (const each of [create, update, rotate, list, remove]) users.addCommand(addVerboseOption(each));
  parent.addCommand(users);
}

function addSecrets(parent: Command, setExitCode: SetExitCode): void {
  const secrets = new Command('secrets').summary('the accounts that a cluster uses');
  const options = (command: Command): Command =>
    writing(command)
      .requiredOption('--name <name>', 'the Secret')
      .option('--secret-namespace <name>', 'where it is', 'kube-system');
  const set = options(new Command('set'))
    .summary('make or change a Secret')
    .option('--username <user>', 'user@domain')
    .option('--password-stdin', 'the password comes from standard input; else it is asked for')
    .action(async (flags: SecretFlags) => {
      const { setSecret } = await import('./run-configure.js');
      setExitCode(await setSecret(flags));
    });
  const check = options(new Command('check'))
    .summary('tell whether a Secret has what the drivers read')
    .action(async (flags: SecretFlags) => {
      const { checkSecretOf } = await import('./run-configure.js');
      setExitCode(await checkSecretOf(flags));
    });
  parent.addCommand(secrets.addCommand(addVerboseOption(set)).addCommand(addVerboseOption(check)));
}
