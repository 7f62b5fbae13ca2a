import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explanation, refText } from '../src/index.js';
import { causes } from '../src/why/index.js';
import { explainObject, nameOf, type Situation } from './situations.js';
import { startSimulatedPlane, type SimulatedPlane } from './simulated-plane.js';

/** Creates each situation on a shared plane, and checks that `why` reports the injected cause, not its consequences. */
export function checkSituations(title: string, situations: readonly Situation[], gates: readonly string[] = []): void {
  describe(`slipway why, ${title}`, () => {
    let plane: SimulatedPlane;
    beforeAll(async () => {
      plane = await startSimulatedPlane(gates);
    });
    afterAll(() => plane?.stop());

    it.each(situations.map((situation, index) => ({ ...situation, namespace: `situation-${index + 1}` })))(
      'explains: $name, with cause $cause',
      async ({ make, namespace, cause, root, reason, message, next }) => {
        const explanation = await explainObject(plane, await make(plane, namespace));
        const { root: found } = explanation;
        expect({
          summary: summaryOf(explanation),
          cause: found?.cause,
          root: nameOf(found?.object ?? explanation.subject),
          reason: reason && found?.reason,
          message: found?.message,
          next: found?.next[0],
          evidence: found?.evidence.length,
          remedy: found?.remedy,
        }).toEqual({
          summary: expect.any(String),
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

/** Summarizes an explanation, so that a failed test shows what was reported instead. */
export function summaryOf({ verdict, root, others }: Explanation): string {
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
