import { refText, type UnblockPlan } from '@slipway/insight';
import type { Style } from '../../output/index.js';

/** What is to happen, and what nobody will clean up then. */
export function unblockText(plan: UnblockPlan, style: Style): string {
  const lines = [
    `${style.bold(refText(plan.object))} is being deleted since ${plan.deletedAt}`,
    ...(plan.waitsFor === undefined ? [] : [`  it waits for: ${plan.waitsFor.split('\n').join('\n    ')}`]),
    '',
    'Taken off',
    ...plan.finalizers.map((finalizer) => `  ${style.name(finalizer)}`),
    ...(plan.kept.length === 0
      ? []
      : ['Kept, so that it may stay nevertheless', ...plan.kept.map((one) => `  ${one}`)]),
    '',
    ...(plan.leaks.length === 0
      ? ['Nothing outside of the server is known to leak.']
      : [style.bad('Nobody will clean up'), ...plan.leaks.map(({ object, what }) => `  ${what} (${refText(object)})`)]),
  ];
  return `${lines.join('\n')}\n`;
}
