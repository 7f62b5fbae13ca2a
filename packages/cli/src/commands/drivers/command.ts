import { Command, Option } from 'commander';
import {
  addTargetOptions,
  addVerboseOption,
  contextOption,
  kubeconfigContextOption,
  outputOption,
  parseCount,
  type SetExitCode,
} from '../../options/common-options.js';
import { addConfigureCommands } from './configure-command.js';
import { addDriversExamples } from './examples.js';
import { type DriversFlags, waiting, writing } from './options.js';

export interface DeployFlags extends DriversFlags {
  readonly spec?: string;
  readonly bundle?: string;
  readonly image?: string;
  readonly imageRegistry?: string;
  readonly imagePullSecret?: readonly string[];
  readonly cpiContainerImageUrl?: string;
  readonly csiContainerImageUrl?: string;
  readonly compatibilityMatrixUrl?: string;
  readonly updatePolicy?: 'latest' | 'lts' | 'disabled';
  readonly openshift?: 'auto' | 'true' | 'false';
  readonly force?: boolean;
}

export interface OperatorFlags {
  readonly kubeconfig?: string;
  readonly kubeconfigContext?: string;
  readonly compatibilityMatrix?: string;
  readonly updatePolicy: 'latest' | 'lts' | 'disabled';
  readonly deletionPolicy: 'Retain' | 'Delete';
  readonly maintenanceWindow?: string;
  readonly imageRegistry?: string;
  readonly image?: readonly string[];
  readonly imagePullSecret?: readonly string[];
  readonly leaderElect?: boolean;
  readonly healthAddress?: string;
  readonly metricsAddress?: string;
  readonly namespace?: string;
}

export interface UpgradeFlags extends DriversFlags {
  readonly cpi?: string;
  readonly csi?: string;
}

export interface DeleteDriversFlags extends DriversFlags {
  readonly drivers: 'keep' | 'remove';
  readonly crds?: boolean;
  readonly yes?: boolean;
}

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];
const updatePolicyOption = (): Option =>
  new Option('--update-policy <policy>', 'Policy for automatic upgrades of the drivers.').choices([
    'latest',
    'lts',
    'disabled',
  ]);

export function driversCommand(setExitCode: SetExitCode): Command {
  const command = new Command('drivers')
    .summary('Install and upgrade the vSphere drivers of a cluster')
    .description(
      'Install and manage the vSphere driver operator, which keeps the cloud provider (CPI) and the storage driver (CSI) ' +
        'of a cluster at versions compatible with its Kubernetes and vSphere versions. Also available as `vdoctl`.',
    )
    .addHelpText(
      'after',
      `
Examples:
  slipway drivers deploy
  slipway drivers configure drivers
  slipway drivers status`,
    );
  for (const add of [addDeploy, addStatus, addMatrix, addUpgrade, addDelete, addBundle, addOperator])
    add(command, setExitCode);
  addConfigureCommands(command, setExitCode);
  addDriversExamples(command);
  return command;
}

function addDeploy(parent: Command, setExitCode: SetExitCode): void {
  const command = waiting(writing(new Command('deploy')))
    .summary('Install the operator into a cluster, or change its version')
    .option('--spec <file>', 'Manifest of the operator. Defaults to the built-in manifest.')
    .option(
      '--bundle <file>',
      'Bundle with the matrix and the templates for an air-gapped cluster, from `bundle create`.',
    )
    .option('--image <reference>', 'Image of the operator.')
    .option('--image-registry <registry>', 'Registry that replaces the registry of all images.')
    .addOption(
      new Option('--image-pull-secret <name>', 'Pull Secret of the registry. Can be repeated.').argParser(collect),
    )
    .option('--cpi-container-image-url <reference>', 'Image of the CPI.')
    .option('--csi-container-image-url <reference>', 'Image of the CSI driver.')
    .option('--compatibility-matrix-url <url>', 'URL of a compatibility matrix that the operator polls.')
    .addOption(updatePolicyOption())
    .addOption(
      new Option('--openshift <when>', 'Create the RBAC roles for OpenShift.')
        .choices(['auto', 'true', 'false'])
        .default('auto'),
    )
    .option('--force', 'Allow a downgrade by more than one minor version.')
    .action(async (flags: DeployFlags) => {
      const { deployDrivers } = await import('./run-deploy.js');
      setExitCode(await deployDrivers(flags));
    });
  parent.addCommand(addVerboseOption(command));
}

function addStatus(parent: Command, setExitCode: SetExitCode): void {
  const status = addTargetOptions(new Command('status'))
    .summary('Show versions, health, users and vCenter connections')
    .option('--watch', 'Watch, and print again on every change.')
    .addOption(outputOption())
    .action(async (flags: DriversFlags & { readonly watch?: boolean }) => {
      const { driversStatus } = await import('./run-status.js');
      setExitCode(await driversStatus(flags));
    });
  const version = addTargetOptions(new Command('version'))
    .summary('Show the versions of the operator, drivers, Kubernetes and vSphere')
    .addOption(outputOption())
    .action(async (flags: DriversFlags) => {
      const { driversVersion } = await import('./run-status.js');
      setExitCode(await driversVersion(flags));
    });
  const preflight = addTargetOptions(new Command('preflight'))
    .summary('Check whether a cluster meets the requirements of the drivers')
    .addOption(outputOption())
    .action(async (flags: DriversFlags) => {
      const { driversPreflight } = await import('./run-status.js');
      setExitCode(await driversPreflight(flags));
    });
  const logs = addTargetOptions(new Command('logs'))
    .summary('Print the logs of the operator')
    .addOption(
      new Option('--tail <lines>', 'Number of recent lines to print for each pod.').default(200).argParser(parseCount),
    )
    .action(async (flags: DriversFlags & { readonly tail: number }) => {
      const { driversLogs } = await import('./run-status.js');
      setExitCode(await driversLogs(flags));
    });
  for (const each of [status, version, preflight, logs]) parent.addCommand(addVerboseOption(each));
}

function addMatrix(parent: Command, setExitCode: SetExitCode): void {
  const matrix = new Command('matrix').summary('Inspect the compatibility matrix');
  matrix.addCommand(
    new Command('show').summary('Print the built-in compatibility matrix').action(async () => {
      const { showMatrix } = await import('./run-matrix.js');
      showMatrix();
    }),
  );
  matrix.addCommand(
    new Command('validate')
      .summary('Validate a compatibility matrix')
      .argument('<file>', 'File with the matrix, or - for standard input.')
      .action(async (file: string) => {
        const { validateMatrix } = await import('./run-matrix.js');
        setExitCode(await validateMatrix(file));
      }),
  );
  matrix.addCommand(
    new Command('explain')
      .summary('Explain which driver versions are compatible, and why others are not')
      .requiredOption('--kubernetes <version>', 'Kubernetes version, such as 1.36.')
      .requiredOption('--vsphere <version...>', 'vSphere version, such as 8.0.3. One for each vCenter.')
      .option('--file <file>', 'File with the matrix. Defaults to the built-in matrix.')
      .option('--no-cpi', 'Do not install a CPI.')
      .action(async (flags: { kubernetes: string; vsphere: readonly string[]; file?: string; cpi: boolean }) => {
        const { explainMatrix } = await import('./run-matrix.js');
        setExitCode(await explainMatrix(flags));
      }),
  );
  parent.addCommand(matrix);
  const update = new Command('update').summary("Update the operator's configuration");
  const source = writing(new Command('compatibility-matrix'))
    .alias('cm')
    .summary('Replace the compatibility matrix of the operator')
    .argument('<source>', 'URL that the operator polls, or path of a file.')
    .action(async (from: string, flags: DriversFlags) => {
      const { updateMatrix } = await import('./run-matrix.js');
      setExitCode(await updateMatrix(from, flags));
    });
  parent.addCommand(update.addCommand(addVerboseOption(source)));
}

function addUpgrade(parent: Command, setExitCode: SetExitCode): void {
  const upgrade = waiting(writing(new Command('upgrade')))
    .summary('Upgrade the drivers to the recommended versions, or to given versions')
    .option('--cpi <version>', 'Version to pin, or `auto` to follow the matrix.')
    .option('--csi <version>', 'Version to pin, or `auto` to follow the matrix.')
    .action(async (flags: UpgradeFlags) => {
      const { upgradeDrivers } = await import('./run-upgrade.js');
      setExitCode(await upgradeDrivers(flags));
    });
  const rollback = waiting(writing(new Command('rollback')))
    .summary('Roll a driver back to its previous version and pin it')
    .addArgument(new Command().createArgument('<driver>', 'Driver: cpi or csi.').choices(['cpi', 'csi']))
    .action(async (driver: 'cpi' | 'csi', flags: DriversFlags) => {
      const { rollbackDriver } = await import('./run-upgrade.js');
      setExitCode(await rollbackDriver(driver, flags));
    });
  parent.addCommand(addVerboseOption(upgrade)).addCommand(addVerboseOption(rollback));
}

function addDelete(parent: Command, setExitCode: SetExitCode): void {
  const command = addTargetOptions(new Command('delete'))
    .summary('Delete the operator')
    .addArgument(new Command().createArgument('<what>', 'Object to delete: vdo.').choices(['vdo']))
    .addOption(
      new Option('--drivers <choice>', 'Whether the drivers are kept or removed.')
        .choices(['keep', 'remove'])
        .default('keep'),
    )
    .option('--crds', 'Also delete the CRDs of the operator, with all their objects.')
    .option('-y, --yes', 'Do not prompt.')
    .action(async (_what: string, flags: DeleteDriversFlags) => {
      const { deleteDrivers } = await import('./run-delete.js');
      setExitCode(await deleteDrivers(flags));
    });
  parent.addCommand(addVerboseOption(command));
}

function addBundle(parent: Command, setExitCode: SetExitCode): void {
  const bundle = new Command('bundle').summary('Create bundles for air-gapped clusters');
  bundle.addCommand(
    new Command('create')
      .summary('Create a bundle')
      .option('--cpi <version...>', 'Versions to include. Defaults to all versions.')
      .option('--csi <version...>', 'Versions to include. Defaults to all versions.')
      .requiredOption('-f, --file <file>', 'File to write, such as vdo-bundle.tar.')
      .action(async (flags: { cpi?: readonly string[]; csi?: readonly string[]; file: string }) => {
        const { createBundle } = await import('./run-bundle.js');
        setExitCode(await createBundle(flags));
      }),
  );
  bundle.addCommand(
    new Command('images')
      .summary('List the container images of a bundle, to mirror them')
      .option('--file <file>', 'Bundle file. If not set, the images of all built-in versions are listed.')
      .action(async (flags: { file?: string }) => {
        const { listBundleImages } = await import('./run-bundle.js');
        await listBundleImages(flags);
      }),
  );
  bundle.addCommand(
    new Command('olm')
      .summary('Create a bundle for the Operator Lifecycle Manager (OLM)')
      .argument('<directory>', 'Directory to write.')
      .option('--image <reference>', 'Image of the operator.')
      .action(async (directory: string, flags: { image?: string }) => {
        const { writeOlmBundle } = await import('./run-bundle.js');
        await writeOlmBundle(directory, flags);
      }),
  );
  parent.addCommand(bundle);
}

function addOperator(parent: Command, setExitCode: SetExitCode): void {
  const command = new Command('operator')
    .summary('Run the operator. The Deployment of the operator runs this command.')
    .option('--kubeconfig <file>', 'Kubeconfig of the cluster. Defaults to the service account of the pod.')
    .addOption(contextOption())
    .addOption(kubeconfigContextOption())
    .option('--namespace <name>', 'Namespace of the operator. Defaults to $VDO_NAMESPACE.')
    .option('--compatibility-matrix <url>', 'Compatibility matrix that overrides all others.')
    .addOption(updatePolicyOption().default('latest'))
    .addOption(
      new Option('--deletion-policy <policy>', 'Whether the drivers are retained or deleted with their VDOConfig.')
        .choices(['Retain', 'Delete'])
        .default('Retain'),
    )
    .option('--maintenance-window <hours>', 'Hours in UTC during which automatic upgrades are allowed, such as 22-4.')
    .option('--image-registry <registry>', 'Registry that replaces the registry of all images.')
    .addOption(new Option('--image <role=reference>', 'Image of one component. Can be repeated.').argParser(collect))
    .addOption(
      new Option('--image-pull-secret <name>', 'Pull Secret of the registry. Can be repeated.').argParser(collect),
    )
    .option('--leader-elect', 'Enable leader election.')
    .option('--health-address <address>', 'Address of the health endpoint.')
    .option('--metrics-address <address>', 'Address of the metrics endpoint.')
    .action(async (flags: OperatorFlags) => {
      const { driversOperator } = await import('./run-operator.js');
      setExitCode(await driversOperator(flags));
    });
  parent.addCommand(addVerboseOption(command), { hidden: true });
}
