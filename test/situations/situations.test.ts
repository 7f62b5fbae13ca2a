import { describe, expect, it } from 'vitest';
import { type Explanation, type ObjectSet, type Observed, refKey, refText } from '@slipway/insight';
import { explainWithWaits, type Wait } from '../../packages/insight/src/why/index.js';
import { declaredReasons } from '../../scripts/condition-reasons.js';
import { causes } from '../../packages/insight/src/why/index.js';
import { catalogue, situations } from './catalogue/index.js';
import { clusterName, filled, forms } from './forms.js';
import { conditionFrom, type Draft, nowMs } from './draft.js';
import { named } from './states.js';

const exitCodes = { well: 0, blocked: 1, waiting: 6 } as const;

describe.each(forms)('slipway why, $title', ({ setOf }) => {
  it.each(situations)('explains: $name', (situation) => {
    const { expect: expected, subject = `Cluster/${clusterName}` } = situation;
    const set = setOf(situation);
    const { explanation, waits } = explainWithWaits(set, only(set, subject), nowMs);
    const { root, verdict } = explanation;
    expect({
      summary: summaryOf(explanation),
      cause: root?.cause,
      state: root?.state,
      object: root && `${root.object.kind} ${root.object.name}`,
      exitCode: exitCodes[verdict],
      next: root?.next[0],
    }).toEqual({
      summary: expect.any(String),
      cause: expected.cause,
      state: expected.state,
      object: nameOf(expected.object),
      exitCode: expected.exitCode,
      next: filled(expected.next),
    });
    expect(unmarked(explanation, waits)).toEqual([]);
  });
});

const stateTexts = {
  blocked: 'Blocked: action required',
  failing: 'Failing and retried: action required',
  held: 'On hold by configuration',
  progress: 'In progress',
} as const;

// `npx vitest run --project unit test/situations -u` regenerates the page.
it('docs/reference/why.md lists all causes and all situations', async () => {
  const rows = Object.entries(causes).map(([name, { state, means, remedy }]) =>
    [`### ${name}`, '', means, '', `${stateTexts[state]}. ${remedy}`, ''].join('\n'),
  );
  const tables = Object.entries(catalogue).map(([area, list]) => {
    const lines = list.map(
      ({ name, expect: { cause, state, exitCode, next } }) =>
        `| ${name} | [${cause}](#${cause.toLowerCase()}) | ${state} | ${exitCode} | \`${next.replaceAll('|', '\\|').replaceAll('$namespace', 'NAMESPACE').replaceAll('$name', 'CLUSTER')}\` |`,
    );
    return `### ${area}\n\n| Situation | Cause | State | Exit code | Next command |\n| --- | --- | --- | --- | --- |\n${lines.join('\n')}\n`;
  });
  const page = `# Causes reported by slipway why

This page is generated from the code. \`slipway why <kind>/<name>\` follows what an object waits for, from its conditions,
references and owners, to the root cause: the deepest object that is blocked or failing on the way to a working cluster. It reports
one of the causes below with the object at fault, the evidence and the commands to run next. The exit code is 0 if the object is
healthy, 1 if a user has to act, and 6 if the controllers are still working.

Every dependency has one of four states. *Blocked*: nothing happens until a user acts. *Failing*: a controller retries and fails.
*Held*: a user or a program holds it on purpose, for example a pause, a hook or an annotation. *In progress*: it takes time.

## Situations

The tests check each of these situations alone, with add-ons and a ClusterClass, and beside twelve other clusters of the namespace.

${tables.join('\n')}
## Causes

The causes are ordered: a cause also blocks what the causes below it describe.

${rows.join('\n')}`;
  await expect(page).toMatchFileSnapshot('../../docs/reference/why.md');
});

describe('the catalogue', () => {
  it('has at least 80 situations with different names', () => {
    expect(situations.length).toBeGreaterThanOrEqual(80);
    expect(new Set(situations.map(({ name }) => name)).size).toBe(situations.length);
  });

  it('uses only reasons that a controller of this repository reports', () => {
    const declared = new Set([...declaredReasons(new URL('../..', import.meta.url).pathname).values()].flat());
    const used = situations.flatMap(({ broken }) =>
      broken.flatMap(({ conditions = [] }) => conditions.map((text) => conditionFrom(text)['reason'] ?? '')),
    );
    expect(
      [...new Set(used)].filter((reason) => !declared.has(reason) && !foreignReasons.has(reason)).toSorted(),
    ).toEqual([]);
  });
});

/** Reasons that Slipway does not define: of VM Operator, of other providers, and of upstream's contract for summaries. */
const foreignReasons: ReadonlySet<string> = new Set(['NotFound', 'NotReady', 'FogDenied']);

/** Returns the steps to the root cause that are not edges of the graph, or whose edge has a less severe state. */
function unmarked({ root }: Explanation, waits: readonly Wait[]): string[] {
  const states = ['blocked', 'failing', 'held', 'progress'];
  const worst = states.indexOf(root?.state ?? 'progress');
  return (root?.path ?? []).flatMap(({ object, relation }, index, path) => {
    const from = path[index - 1]?.object;
    if (from === undefined || relation === 'is blocked by') return [];
    const edge = waits.find((one) => refKey(one.from) === refKey(from) && refKey(one.to) === refKey(object));
    return edge !== undefined && states.indexOf(edge.state) <= worst
      ? []
      : [`${refText(from)} ${relation} ${refText(object)}`];
  });
}

function only(set: ObjectSet, on: string): Observed {
  const [found] = named(set.objects as unknown as Draft[], on, clusterName);
  if (found === undefined) throw new Error(`there is no ${on}`);
  return found as Observed;
}

function nameOf(on: string): string {
  const [kind = '', part] = on.split('/');
  if (part === undefined) return `${kind} ${clusterName}`;
  return `${kind} ${part.startsWith('=') ? part.slice(1) : `${clusterName}-${part}`}`;
}

/** Describes the explanation, for a failing test. */
function summaryOf({ verdict, root, others }: Explanation): string {
  const lines = [root, ...others].map((one) =>
    one === undefined ? 'nothing' : `${one.cause} ${refText(one.object)} ${one.reason}: ${one.message}`,
  );
  return [verdict, ...lines].join('\n');
}
