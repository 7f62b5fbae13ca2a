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
    .addOption(new Option('--port <number>', 'Port of vCenter.').default(443).argParser(parsePort))
    .option('--insecure', 'Skip TLS certificate verification.')
    .option('--thumbprint <text>', 'SHA-1 or SHA-256 thumbprint of the vCenter certificate.');
}

export function addConfigureCommands(parent: Command, setExitCode: SetExitCode): void {
  const configure = new Command('configure').summary('Configure the drivers of a cluster');
  const drivers = waiting(vCenterOptions(writing(new Command('drivers'))))
    .summary('Connect the drivers to vCenter, prompting for missing values')
    .option('--from-file <file>', 'YAML file with all answers.')
    .option('--vcenter <server>', 'Host name or IP address of vCenter.')
    .option('--datacenter <name...>', 'Names or inventory paths of the datacenters.')
    .option('--username <user>', 'vCenter user, as user@domain.')
    .option('--password-stdin', 'Read the password from standard input.')
    .option('--secret-name <name>', 'Existing Secret in kube-system with the credentials.')
    .option('--no-cpi', 'Install only the storage driver. For a cluster with another cloud provider.')
    .option('--name <name>', 'Name of the VDOConfig.')
    .action(async (flags: ConfigureFlags) => {
      const { configureDrivers } = await import('./run-configure.js');
      setExitCode(await configureDrivers(flags));
    });
  const matrix = writing(new Command('compatibility-matrix'))
    .alias('cm')
    .summary('Set the compatibility matrix of the operator')
    .argument('[source]', 'URL or file.')
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
    .requiredOption('--vcenter <server>', 'Host name or IP address of vCenter.')
    .requiredOption('--admin-user <user>', 'vCenter administrator. Used for this operation only and not stored.')
    .option(
      '--admin-password-stdin',
      'Read the password of the administrator from standard input. By default, the command prompts for it.',
    )
    .addOption(
      new Option('--for <drivers>', 'Drivers: cpi, csi, or both, comma-separated.')
        .default(['cpi', 'csi'], 'cpi,csi')
        .argParser((text: string) => text.split(',').map((each) => each.trim())),
    )
    .option('--name <name>', 'Name prefix of the accounts. The driver name is appended.', 'vdo')
    .option('--secret-name <name>', 'Name of the Secret. Defaults to <vcenter>-creds-<driver>.')
    .option('--secret-namespace <name>', 'Namespace of the Secret.', 'kube-system');
}

function placesOptions(command: Command): Command {
  return command
    .option('--datacenter <name...>', 'Datacenters of the nodes.')
    .option('--datastore <name...>', 'Datastores for volumes.')
    .option('--cluster <name...>', 'vSphere clusters of the nodes.')
    .option('--folder <name...>', 'VM folders of the nodes. Defaults to all folders of the datacenters.')
    .option('--file-volumes', 'Also grant the privileges for file volumes.')
    .option('--role-suffix <text>', 'Suffix of the role names: CNS-VM-<text>.', '');
}

function addUsers(parent: Command, setExitCode: SetExitCode): void {
  const users = new Command('users').summary('Manage least-privilege vCenter accounts of the drivers');
  const create = placesOptions(usersOptions(new Command('create')))
    .summary('Create the roles, the accounts and their Secrets')
    .option('--existing-user', 'Use an existing account. Only create roles and permissions.')
    .option('--update-roles', 'Update existing roles that differ.')
    .option('--dry-run', 'Print the changes without making them.')
    .action(async (flags: UsersFlags) => {
      const { createUsers } = await import('./run-users.js');
      setExitCode(await createUsers(flags));
    });
  const update = placesOptions(usersOptions(new Command('update')))
    .summary('Update the roles and permissions of the accounts')
    .option('--dry-run', 'Print the changes without making them.')
    .action(async (flags: UsersFlags) => {
      const { updateUsers } = await import('./run-users.js');
      setExitCode(await updateUsers(flags));
    });
  const list = usersOptions(new Command('list'))
    .summary('List the roles of the accounts and the objects they apply to')
    .addOption(outputOption())
    .action(async (flags: UsersFlags) => {
      const { listUsers } = await import('./run-users.js');
      setExitCode(await listUsers(flags));
    });
  const rotate = usersOptions(new Command('rotate'))
    .summary('Rotate the passwords of the accounts')
    .action(async (flags: UsersFlags) => {
      const { rotateUsers } = await import('./run-users.js');
      setExitCode(await rotateUsers(flags));
    });
  const remove = usersOptions(new Command('delete'))
    .summary('Delete the accounts')
    .action(async (flags: UsersFlags) => {
      const { deleteUsers } = await import('./run-users.js');
      setExitCode(await deleteUsers(flags));
    });
  for (const each of [create, update, rotate, list, remove]) users.addCommand(addVerboseOption(each));
  parent.addCommand(users);
}

function addSecrets(parent: Command, setExitCode: SetExitCode): void {
  const secrets = new Command('secrets').summary('Manage the Secrets with the vCenter credentials');
  const options = (command: Command): Command =>
    writing(command)
      .requiredOption('--name <name>', 'Name of the Secret.')
      .option('--secret-namespace <name>', 'Namespace of the Secret.', 'kube-system');
  const set = options(new Command('set'))
    .summary('Create or update a Secret')
    .option('--username <user>', 'vCenter user, as user@domain.')
    .option('--password-stdin', 'Read the password from standard input. By default, the command prompts for it.')
    .action(async (flags: SecretFlags) => {
      const { setSecret } = await import('./run-configure.js');
      setExitCode(await setSecret(flags));
    });
  const check = options(new Command('check'))
    .summary('Check that a Secret has the keys that the drivers read')
    .action(async (flags: SecretFlags) => {
      const { checkSecretOf } = await import('./run-configure.js');
      setExitCode(await checkSecretOf(flags));
    });
  parent.addCommand(secrets.addCommand(addVerboseOption(set)).addCommand(addVerboseOption(check)));
}
