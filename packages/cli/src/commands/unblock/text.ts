import { refText, type UnblockPlan } from '@slipway/insight';
import type { Style } from '../../output/index.js';

/** Formats the finalizers to remove and the external resources that leak. */
export function unblockText(plan: UnblockPlan, style: Style): string {
  const lines = [
    `${style.bold(refText(plan.object))}: deletion requested at ${plan.deletedAt}`,
    ...(plan.waitsFor === undefined ? [] : [`  waiting for: ${plan.waitsFor.split('\n').join('\n    ')}`]),
    '',
    'Finalizers to remove',
    ...plan.finalizers.map((finalizer) => `  ${style.name(finalizer)}`),
    ...(plan.kept.length === 0
      ? []
      : ['Finalizers to keep (they can still block the deletion)', ...plan.kept.map((one) => `  ${one}`)]),
    '',
    ...(plan.leaks.length === 0
      ? ['No external resources are known to leak.']
      : [
          style.bad('External resources that will leak'),
          ...plan.leaks.map(({ object, what }) => `  ${what} (${refText(object)})`),
        ]),
  ];
  return `${lines.join('\n')}\n`;
}
