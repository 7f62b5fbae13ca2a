import { systemClock } from '@slipway/base';
import { clusterTree, type TreeOptions } from '@slipway/insight';
import { observeCluster } from '../../clusters/find-objects.js';
import { followTree } from '../../clusters/follow-tree.js';
import { withTarget } from '../../connection/index.js';
import { type ExitCode, exitCodes } from '../../errors/index.js';
import { printValue, styleFor, treeText, terminalWidth } from '../../output/index.js';
import type { DescribeClusterOptions } from './command.js';

export async function describeCluster(name: string, options: DescribeClusterOptions): Promise<ExitCode> {
  return withTarget(options, async (target, signal) => {
    const key = { namespace: target.namespace, name };
    const treeOptions = treeOptionsOf(options);
    const style = styleFor(process.stdout, options.color);
    if (options.watch) {
      await followTree(target.client, key, { tree: treeOptions, style, signal, output: options.output });
      return exitCodes.ok;
    }
    const { set, cluster } = await observeCluster(target.client, key, { signal, withoutEvents: true });
    const tree = clusterTree(set, cluster, treeOptions);
    const width = terminalWidth(process.stdout, undefined);
    const old = !options.v1beta2;
    await printValue(tree, options.output, () => treeText(tree, { nowMs: systemClock.now(), style, width, old }));
    return exitCodes.ok;
  });
}

function treeOptionsOf(options: DescribeClusterOptions): TreeOptions {
  return {
    ...(options.showConditions !== undefined && { showConditions: options.showConditions }),
    showMachineSets: options.showMachinesets,
    showClusterResourceSets: options.showResourcesets,
    showTemplates: options.showTemplates,
    echo: options.echo,
    grouping: options.grouping,
    oldConditions: !options.v1beta2,
  };
}
