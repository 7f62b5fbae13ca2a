import { systemClock } from '@slipway/base';
import { readHistory, timelineOf } from '@slipway/insight';
import { readChanges } from '@slipway/runtime';
import { observeCluster } from '../../clusters/find-objects.js';
import { withTarget } from '../../connection/index.js';
import { printValue, styleFor, terminalWidth } from '../../output/index.js';
import type { TimelineOptions } from './command.js';
import { timelineText } from './text.js';

export async function timeline(name: string, options: TimelineOptions): Promise<void> {
  await withTarget(options, async ({ client, namespace }, signal) => {
    const key = { namespace, name };
    const { set, cluster } = await observeCluster(client, key, { signal });
    const history = await readHistory(client, key, systemClock, signal);
    const found = timelineOf(set, cluster, history, await readChanges(client, { signal }));
    const style = styleFor(process.stdout, undefined);
    const width = terminalWidth(process.stdout, 100);
    await printValue(found, options.output, () => timelineText(found, { style, width }));
  });
}
