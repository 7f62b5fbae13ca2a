import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explanation, refText } from '../src/index.js';
import { causes } from '../src/why/index.js';
import { ask, nameOf, type Situation } from './situations.js';
import { startWorld, type World } from './world.js';

/** Each is brought about on a plane that they share, and must be explained by what was done, not by what came of it. */
export function checkSituations(title: string, situations: readonly Situation[], gates: readonly string[] = []): void {
  describe(`why, ${title}`, () => {
    let world: World;
    beforeAll(async () => {
      world = await startWorld(gates);
    });
    afterAll(() => world?.stop());

    it.each(situations.map((situation, index) => ({ ...situation, namespace: `situation-${index + 1}` })))(
      '$name: $cause',
      async ({ make, namespace, cause, root, reason, message, next }) => {
        const explanation = await ask(world, await make(world, namespace));
        const { root: found } = explanation;
        expect({
          said: inShort(explanation),
          cause: found?.cause,
          root: nameOf(found?.object ?? explanation.subject),
          reason: reason && found?.reason,
          message: found?.message,
          next: found?.next[0],
          evidence: found?.evidence.length,
          remedy: found?.remedy,
        }).toEqual({
          said: expect.any(String),
          cause,
          root: expect.stringMatching(root),
          reason,
          message: expect.stringMatching(message),
          next: expect.stringMatching(next),
          evidence: expect.toSatisfy((count: number) => count > 0),
          remedy: causes[cause].remedy,
        });
      },
    );
  });
}

/** For a failure: what was said instead. */
export function inShort({ verdict, root, others }: Explanation): string {
  const lines = [root, ...others].map((one) =>
    one === undefined
      ? 'nothing'
      : `${one.cause} ${refText(one.object)} ${one.reason}: ${one.message} → ${one.next.join('; ')}`,
  );
  return [
    verdict,
    ...(root?.path ?? []).map(({ object, relation }) => `${relation} ${refText(object)}`),
    ...lines,
  ].join('\n');
}
