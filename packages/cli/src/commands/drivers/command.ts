import { Command, Option } from 'commander';
import {
  addTargetOptions,
  addVerboseOption,
  outputOption,
  parseCount,
  type SetExitCode,
} from '../../options/common-options.js';
import { addConfigureCommands } from './configure-command.js';
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
  new Option('--update-policy <policy>', 'when drivers are upgraded by themselves').choices([
    'latest',
    'lts',
    'disabled',
  ]);

export function driversCommand(setExitCode: SetExitCode): Command {
  const command = new Command('drivers')
    .summary('install and upgrade the vSphere drivers of a cluster')
    .description(
      'Installs the operator of the vSphere drivers, which keeps the cloud provider (CPI) and the storage driver (CSI) of a ' +
        'cluster at versions that fit its Kubernetes and vSphere. Also called `vdoctl`.',
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
  return command;
}

function addDeploy(parent: Command, setExitCode: SetExitCode): void {
  const command = waiting(writing(new Command('deploy')))
    .summary('put the operator into a cluster, or another version of it')
    .option('--spec <file>', 'a manifest of the operator instead of the one that comes with this version')
    .option('--bundle <file>', 'matrix and templates for a cluster without internet, from `bundle create`')
    .option('--image <reference>', 'the image of the operator')
    .option('--image-registry <registry>', 'a registry that stands for all others')
    .addOption(
      new Option('--image-pull-secret <name>', 'a Secret for the registry; may be given again').argParser(collect),
    )
    .option('--cpi-container-image-url <reference>', 'the image of the CPI')
    .option('--csi-container-image-url <reference>', 'the image of the CSI driver')
    .option('--compatibility-matrix-url <url>', 'an online matrix, which the operator follows')
    .addOption(updatePolicyOption())
    .addOption(
      new Option('--openshift <when>', 'roles for OpenShift').choices(['auto', 'true', 'false']).default('auto'),
    )
    .option('--force', 'go back by more than one minor version')
    .action(async (flags: DeployFlags) => {
      const { deployDrivers } = await import('./run-deploy.js');
      setExitCode(await deployDrivers(flags));
    });
  parent.addCommand(addVerboseOption(command));
}

function addStatus(parent: Command, setExitCode: SetExitCode): void {
  const status = addTargetOptions(new Command('status'))
    .summary('tell versions, health, users and connections')
    .option('--watch', 'again whenever it changes')
    .addOption(outputOption())
    .action(async (flags: DriversFlags & { readonly watch?: boolean }) => {
      const { driversStatus } = await import('./run-status.js');
      setExitCode(await driversStatus(flags));
    });
  const version = addTargetOptions(new Command('version'))
    .summary('tell the versions of everything that takes part')
    .addOption(outputOption())
    .action(async (flags: DriversFlags) => {
      const { driversVersion } = await import('./run-status.js');
      setExitCode(await driversVersion(flags));
    });
  const preflight = addTargetOptions(new Command('preflight'))
    .summary('tell whether a cluster is ready for the drivers')
    .addOption(outputOption())
    .action(async (flags: DriversFlags) => {
      const { driversPreflight } = await import('./run-status.js');
      setExitCode(await driversPreflight(flags));
    });
  const logs = addTargetOptions(new Command('logs'))
    .summary('print what the operator says')
    .addOption(new Option('--tail <lines>', 'the last lines of each pod').default(200).argParser(parseCount))
    .action(async (flags: DriversFlags & { readonly tail: number }) => {
      const { driversLogs } = await import('./run-status.js');
      setExitCode(await driversLogs(flags));
    });
  for (const each of [status, version, preflight, logs]) parent.addCommand(addVerboseOption(each));
}

function addMatrix(parent: Command, setExitCode: SetExitCode): void {
  const matrix = new Command('matrix').summary('look at the compatibility matrix');
  matrix.addCommand(
    new Command('show').summary('print the matrix that this version carries').action(async () => {
      const { showMatrix } = await import('./run-matrix.js');
      showMatrix();
    }),
  );
  matrix.addCommand(
    new Command('validate')
      .summary('tell everything that is wrong with a matrix')
      .argument('<file>', 'the matrix, or - for standard input')
      .action(async (file: string) => {
        const { validateMatrix } = await import('./run-matrix.js');
        setExitCode(await validateMatrix(file));
      }),
  );
  matrix.addCommand(
    new Command('explain')
      .summary('tell which versions fit, and why the others do not')
      .requiredOption('--kubernetes <version>', 'such as 1.36')
      .requiredOption('--vsphere <version...>', 'such as 8.0.3; one for each vCenter')
      .option('--file <file>', 'another matrix than the one that this version carries')
      .option('--no-cpi', 'without a CPI')
      .action(async (flags: { kubernetes: string; vsphere: readonly string[]; file?: string; cpi: boolean }) => {
        const { explainMatrix } = await import('./run-matrix.js');
        setExitCode(await explainMatrix(flags));
      }),
  );
  parent.addCommand(matrix);
  const update = new Command('update').summary('change what the operator goes by');
  const source = writing(new Command('compatibility-matrix'))
    .alias('cm')
    .summary('give the operator another matrix')
    .argument('<source>', 'a URL, which it follows, or a file')
    .action(async (from: string, flags: DriversFlags) => {
      const { updateMatrix } = await import('./run-matrix.js');
      setExitCode(await updateMatrix(from, flags));
    });
  parent.addCommand(update.addCommand(addVerboseOption(source)));
}

function addUpgrade(parent: Command, setExitCode: SetExitCode): void {
  const upgrade = waiting(writing(new Command('upgrade')))
    .summary('upgrade the drivers to what fits best, or to versions that are named')
    .option('--cpi <version>', 'exactly this version, or `auto` to follow the matrix again')
    .option('--csi <version>', 'exactly this version, or `auto` to follow the matrix again')
    .action(async (flags: UpgradeFlags) => {
      const { upgradeDrivers } = await import('./run-upgrade.js');
      setExitCode(await upgradeDrivers(flags));
    });
  const rollback = waiting(writing(new Command('rollback')))
    .summary('go back to the version before, and stay there')
    .addArgument(new Command().createArgument('<driver>', 'cpi or csi').choices(['cpi', 'csi']))
    .action(async (driver: 'cpi' | 'csi', flags: DriversFlags) => {
      const { rollbackDriver } = await import('./run-upgrade.js');
      setExitCode(await rollbackDriver(driver, flags));
    });
  parent.addCommand(addVerboseOption(upgrade)).addCommand(addVerboseOption(rollback));
}

function addDelete(parent: Command, setExitCode: SetExitCode): void {
  const command = addTargetOptions(new Command('delete'))
    .summary('remove the operator')
    .addArgument(new Command().createArgument('<what>', 'vdo').choices(['vdo']))
    .addOption(
      new Option('--drivers <choice>', 'what becomes of the drivers').choices(['keep', 'remove']).default('keep'),
    )
    .option('--crds', 'its kinds as well, with all objects of them')
    .option('-y, --yes', 'ask nothing')
    .action(async (_what: string, flags: DeleteDriversFlags) => {
      const { deleteDrivers } = await import('./run-delete.js');
      setExitCode(await deleteDrivers(flags));
    });
  parent.addCommand(addVerboseOption(command));
}

function addBundle(parent: Command, setExitCode: SetExitCode): void {
  const bundle = new Command('bundle').summary('take matrix, templates and images to a cluster without internet');
  bundle.addCommand(
    new Command('create')
      .summary('write a bundle')
      .option('--cpi <version...>', 'which versions; else all')
      .option('--csi <version...>', 'which versions; else all')
      .requiredOption('-f, --file <file>', 'such as vdo-bundle.tar')
      .action(async (flags: { cpi?: readonly string[]; csi?: readonly string[]; file: string }) => {
        const { createBundle } = await import('./run-bundle.js');
        setExitCode(await createBundle(flags));
      }),
  );
  bundle.addCommand(
    new Command('images')
      .summary('list the images of a bundle, for a tool that mirrors')
      .option('--file <file>', 'a bundle; else everything that this version carries')
      .action(async (flags: { file?: string }) => {
        const { listBundleImages } = await import('./run-bundle.js');
        await listBundleImages(flags);
      }),
  );
  bundle.addCommand(
    new Command('olm')
      .summary('write the bundle for the Operator Lifecycle Manager of OpenShift')
      .argument('<directory>', 'where')
      .option('--image <reference>', 'the image of the operator')
      .action(async (directory: string, flags: { image?: string }) => {
        const { writeOlmBundle } = await import('./run-bundle.js');
        await writeOlmBundle(directory, flags);
      }),
  );
  parent.addCommand(bundle);
}

function addOperator(parent: Command, setExitCode: SetExitCode): void {
  const command = new Command('operator')
    .summary('run the operator; its pod does')
    .option('--kubeconfig <file>', 'how to reach the cluster, when not from within')
    .option('--kubeconfig-context <name>', 'another context than the current one')
    .option('--namespace <name>', 'where the operator lives; else $VDO_NAMESPACE')
    .option('--compatibility-matrix <url>', 'a matrix that comes before all others')
    .addOption(updatePolicyOption().default('latest'))
    .addOption(
      new Option('--deletion-policy <policy>', 'what becomes of the drivers when their VDOConfig is deleted')
        .choices(['Retain', 'Delete'])
        .default('Retain'),
    )
    .option('--maintenance-window <hours>', 'when versions may change by themselves, such as 22-4, in UTC')
    .option('--image-registry <registry>', 'a registry that stands for all others')
    .addOption(new Option('--image <role=reference>', 'the image of one role; may be given again').argParser(collect))
    .addOption(
      new Option('--image-pull-secret <name>', 'a Secret for the registry; may be given again').argParser(collect),
    )
    .option('--leader-elect', 'one of several acts')
    .option('--health-address <address>', 'where to tell that it is alive')
    .option('--metrics-address <address>', 'where to show metrics')
    .action(async (flags: OperatorFlags) => {
      const { driversOperator } = await import('./run-operator.js');
      setExitCode(await driversOperator(flags));
    });
  parent.addCommand(addVerboseOption(command), { hidden: true });
}
