import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { situations as rows } from '../catalogue/index.js';
import { createSituations, type RealSituation, type Result, summaryOf } from './shared-plane.js';

const exitCodes = { well: 0, blocked: 1, waiting: 6 } as const;
const creationTimeoutMs = 600_000;
const forms = ['alone', 'beside neighbours'] as const;

/** Creates the situations with real controllers, and checks the expectations of the catalogue. */
export function checkRows(
  title: string,
  situations: readonly RealSituation[],
  options: Parameters<typeof createSituations>[1] = {},
): void {
  describe(`slipway why on ${title}`, () => {
    let created: Awaited<ReturnType<typeof createSituations>>;
    beforeAll(async () => {
      created = await createSituations(situations, options);
    }, creationTimeoutMs);
    afterAll(() => created?.stop());

    for (const form of forms) {
      it.each(situations)(`explains ${form}: $row`, (situation) => {
        const result = created.results.get(`${form}: ${situation.row}`);
        if (result instanceof Error) throw result;
        if (result === undefined) throw new Error('the situation was not created');
        const { reported, expected } = compare(situation, result);
        expect(reported).toEqual(expected);
      });
    }
  });
}

/** Returns what `why` reports, and what the row of the catalogue expects. */
function compare({ row, names = {} }: RealSituation, result: Result): { reported: object; expected: object } {
  const { explanation, place } = result;
  const found = rows.find(({ name }) => name === row);
  if (found === undefined) throw new Error(`the catalogue has no situation "${row}"`);
  const { expect: expected } = found;
  const { root, verdict } = explanation;
  const [kind = '', part] = expected.object.split('/');
  const reported = {
    summary: summaryOf(explanation),
    cause: root?.cause,
    state: root?.state,
    object: root && `${root.object.kind} ${root.object.name}`,
    exitCode: exitCodes[verdict],
    next: root?.next[0],
  };
  const wanted = {
    summary: expect.any(String),
    cause: expected.cause,
    state: expected.state,
    object: expect.stringMatching(patternOf(`${kind} ${nameOf(part)}`, place, names, kind)),
    exitCode: expected.exitCode,
    next: expect.stringMatching(patternOf(expected.next, place, names, kind)),
  };
  return { reported, expected: wanted };
}

function nameOf(part: string | undefined): string {
  if (part === undefined) return '$name';
  return part.startsWith('=') ? part.slice(1) : `$name-${part}`;
}

/** Names of the catalogue that controllers generate, or that are unique in the shared namespace. */
function patternOf(
  text: string,
  { name, namespace }: Result['place'],
  names: NonNullable<RealSituation['names']>,
  kind: string,
): RegExp {
  const escaped = text.replaceAll(/[.*+?^{}()|[\]\\]/g, String.raw`\$&`);
  const generated = '[a-z0-9]{5}';
  const worker = names.worker ?? `${name}-workers-[a-z0-9-]+`;
  const pattern = escaped
    .replaceAll('$namespace', namespace)
    .replaceAll('$name-control-plane', names['control-plane'] ?? `${name}-${generated}`)
    .replaceAll(/\$name-workers(?!-)/g, (all, at: number) =>
      kind === 'MachineSet' && /MachineSet $|machineset\/$/.test(escaped.slice(0, at))
        ? `${name}-workers-${generated}`
        : all,
    )
    .replaceAll(/\$name-worker(?!s)/g, worker)
    .replaceAll('$name', name)
    .replaceAll(/(?<=[ /])(storage|check|pool|config)(?= |$)/g, `$1(-${name})?`);
  return new RegExp(`^${pattern}$`);
}
