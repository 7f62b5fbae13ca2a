import type { Command } from 'commander';
import { addTargetOptions, parseCount } from './common-options.js';
import { type PluginFlags, pluginOption } from './plugin-option.js';

/** Source of a cluster template. */
export interface TemplateFlags {
  readonly infrastructure?: string;
  readonly flavor?: string;
  readonly from?: string;
  readonly fromConfigMap?: string;
  readonly fromConfigMapNamespace?: string;
  readonly fromConfigMapKey?: string;
}

/** Flags that describe a new cluster. */
export interface ClusterFlags extends TemplateFlags, PluginFlags {
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
  return command
    .addOption(pluginOption())
    .option(
      '--config <file>',
      'clusterctl configuration: a file or an HTTPS URL. Defaults to clusterctl.yaml in $XDG_CONFIG_HOME/cluster-api or ~/.cluster-api.',
    );
}

/** Adds clusterctl's flags of the commands that create a cluster from a template. */
export function addClusterOptions(command: Command, counts = { controlPlane: '1', worker: '0' }): Command {
  command
    .option(
      '-i, --infrastructure <name>',
      'Infrastructure provider of the template, name[:version]. Defaults to the installed provider.',
    )
    .option('-f, --flavor <name>', 'Flavor of the template. Defaults to the default template of the provider.')
    .option('--from <place>', 'Read the template from a file, an HTTPS or OCI URL, or - for standard input.')
    .option('--from-config-map <name>', 'Read the template from a ConfigMap of the management cluster.')
    .option(
      '--from-config-map-namespace <name>',
      'Namespace of the ConfigMap. Defaults to the namespace of the context.',
    )
    .option('--from-config-map-key <key>', 'Key of the template in the ConfigMap (default: template).')
    .option('-n, --target-namespace <name>', 'Namespace of the cluster. Defaults to the namespace of the context.')
    .option('--kubernetes-version <version>', 'Kubernetes version. Defaults to $KUBERNETES_VERSION.')
    .option(
      '--control-plane-machine-count <number>',
      `Number of control plane machines. Defaults to $CONTROL_PLANE_MACHINE_COUNT or ${counts.controlPlane}.`,
      parseCount,
    )
    .option(
      '--worker-machine-count <number>',
      `Number of worker machines. Defaults to $WORKER_MACHINE_COUNT or ${counts.worker}.`,
      parseCount,
    );
  return addConfigOption(addTargetOptions(command));
}
