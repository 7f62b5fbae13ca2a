import { systemClock } from '@slipway/base';
import { clusterNameOf, type Explanation, explain, readObject, watchCluster } from '@slipway/insight';
import { findNamed } from '../../clusters/find-objects.js';
import { type Target, withTarget } from '../../connection/index.js';
import { type ExitCode, exitCodes } from '../../errors/index.js';
import { printValue, styleFor, terminalWidth } from '../../output/index.js';
import type { WhyOptions } from './command.js';
import { explanationText } from './text.js';

export async function why(args: readonly string[], options: WhyOptions): Promise<ExitCode> {
  return withTarget(options, async (target, signal) => {
    const { object } = await findNamed(target, args, signal);
    const cluster = clusterNameOf(object);
    const set = await readObject(target.client, object, cluster, { signal });
    let explanation = explain(set, object, systemClock.now());
    await print(explanation, options);
    if (options.watch && cluster !== undefined && explanation.verdict !== 'well')
      explanation = await followWhy(target, args, { cluster, options, signal, printed: explanation });
    return exitCodeOf(explanation);
  });
}

function exitCodeOf({ verdict }: Explanation): ExitCode {
  if (verdict === 'well') return exitCodes.ok;
  return verdict === 'waiting' ? exitCodes.waiting : exitCodes.failed;
}

interface Following {
  readonly cluster: string;
  readonly options: WhyOptions;
  readonly signal: AbortSignal;
  /** The explanation that was printed last. */
  readonly printed: Explanation;
}

/** Prints the explanation whenever it changes, until the object is healthy. */
async function followWhy(target: Target, args: readonly string[], following: Following): Promise<Explanation> {
  const { cluster, options, signal } = following;
  const key = { namespace: target.namespace, name: cluster };
  let printed = following.printed;
  for await (const set of watchCluster(target.client, key, { clock: systemClock, signal })) {
    const { object } = await findNamed(target, args, signal);
    const next = explain(set, set.byUid(object.metadata.uid) ?? object, systemClock.now());
    if (isSameExplanation(printed, next)) continue;
    printed = next;
    await print(next, options);
    if (next.verdict === 'well') break;
  }
  return printed;
}

function isSameExplanation(left: Explanation, right: Explanation): boolean {
  const answer = ({ verdict, root }: Explanation): string =>
    JSON.stringify([verdict, root?.cause, root?.object, root?.reason, root?.message]);
  return answer(left) === answer(right);
}

async function print(explanation: Explanation, { output }: WhyOptions): Promise<void> {
  const style = styleFor(process.stdout, undefined);
  const width = terminalWidth(process.stdout, 100);
  await printValue(explanation, output, () => explanationText(explanation, { style, width }));
}
