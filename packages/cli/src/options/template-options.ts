import type { Command } from 'commander';
import { addTargetOptions, parseCount } from './common-options.js';

/** Where the template of a cluster comes from. */
export interface TemplateFlags {
  readonly infrastructure?: string;
  readonly flavor?: string;
  readonly from?: string;
  readonly fromConfigMap?: string;
  readonly fromConfigMapNamespace?: string;
  readonly fromConfigMapKey?: string;
}

/** What the user says of a new cluster. */
export interface ClusterFlags extends TemplateFlags {
  readonly targetNamespace?: string;
  readonly kubernetesVersion?: string;
  readonly controlPlaneMachineCount?: number;
  readonly workerMachineCount?: number;
  readonly config?: string;
  readonly kubeconfig?: string;
  readonly kubeconfigContext?: string;
  readonly dataDir?: string;
}

export function addConfigOption(command: Command): Command {
  return command.option(
    '--config <file>',
    'clusterctl’s settings, a file or an https address; else clusterctl.yaml in $XDG_CONFIG_HOME/cluster-api or ~/.cluster-api',
  );
}

/** For a command that makes a cluster from a template: clusterctl’s flags. */
export function addClusterOptions(command: Command, counts = { controlPlane: '1', worker: '0' }): Command {
  command
    .option('-i, --infrastructure <name>', 'whose template to use, name[:version]; else the one that is installed')
    .option('-f, --flavor <name>', 'another template of that provider than its first')
    .option('--from <place>', 'a template of your own: a file, an https or oci address, - for standard input')
    .option('--from-config-map <name>', 'a template of your own in a ConfigMap of the management cluster')
    .option('--from-config-map-namespace <name>', 'where that ConfigMap is; else the namespace of the context')
    .option('--from-config-map-key <key>', 'the key of the template in it (default: template)')
    .option('-n, --target-namespace <name>', 'where the objects go; else the namespace of the context')
    .option('--kubernetes-version <version>', 'the version of Kubernetes; else $KUBERNETES_VERSION')
    .option(
      '--control-plane-machine-count <number>',
      `machines of the control plane; else $CONTROL_PLANE_MACHINE_COUNT, ${counts.controlPlane}`,
      parseCount,
    )
    .option(
      '--worker-machine-count <number>',
      `machines for work; else $WORKER_MACHINE_COUNT, ${counts.worker}`,
      parseCount,
    );
  return addConfigOption(addTargetOptions(command));
}
