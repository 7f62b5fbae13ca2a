import { compileRegularExpression, type Match, type RegularExpression } from '@slipway/kube';
import { TemplateError } from '../template-error.js';
import { integerOf, type TemplateFunction, textOf } from '../template-values.js';

function expression(name: string, pattern: unknown): RegularExpression {
  const text = textOf(name, pattern);
  try {
    return compileRegularExpression(text);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new TemplateError(`error calling ${name}: ${cause}`);
  }
}

function limitOf(count: unknown): number {
  const limit = Number(integerOf(count));
  return limit < 0 ? Number.POSITIVE_INFINITY : limit;
}

function replaced(text: string, matches: readonly Match[], by: (match: Match) => string): string {
  let result = '';
  let from = 0;
  for (const match of matches) {
    result += text.slice(from, match.start) + by(match);
    from = match.end;
  }
  return result + text.slice(from);
}

/** Replaces `$1` and `${1}` with groups of the match. Named groups are not supported. */
function expanded(form: string, { groups }: Match): string {
  return form.replace(/\$(?:(\d{1,3})|\{(\d{1,3})\}|\$)/g, (whole, short?: string, long?: string) =>
    whole === '$$' ? '$' : (groups[Number(short ?? long)] ?? ''),
  );
}

function splitBy(text: string, matches: readonly Match[]): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of matches) {
    parts.push(text.slice(from, start));
    from = end;
  }
  return [...parts, text.slice(from)];
}

const functions: Readonly<Record<string, TemplateFunction>> = {
  regexMatch: ([pattern, text]) => expression('regexMatch', pattern).test(textOf('regexMatch', text)),
  regexFind: ([pattern, text]) =>
    expression('regexFind', pattern).matchesOf(textOf('regexFind', text), 1)[0]?.groups[0] ?? '',
  regexFindAll: ([pattern, text, count]) =>
    expression('regexFindAll', pattern)
      .matchesOf(textOf('regexFindAll', text), limitOf(count))
      .map(({ groups }) => groups[0]),
  regexReplaceAll: ([pattern, text, form]) => {
    const whole = textOf('regexReplaceAll', text);
    const matches = expression('regexReplaceAll', pattern).matchesOf(whole);
    return replaced(whole, matches, (match) => expanded(textOf('regexReplaceAll', form), match));
  },
  regexReplaceAllLiteral: ([pattern, text, by]) => {
    const whole = textOf('regexReplaceAllLiteral', text);
    const matches = expression('regexReplaceAllLiteral', pattern).matchesOf(whole);
    return replaced(whole, matches, () => textOf('regexReplaceAllLiteral', by));
  },
  regexSplit: ([pattern, text, count]) => {
    const limit = limitOf(count);
    if (limit === 0) return [];
    const whole = textOf('regexSplit', text);
    return splitBy(whole, expression('regexSplit', pattern).matchesOf(whole, limit - 1));
  },
  regexQuoteMeta: ([text]) => textOf('regexQuoteMeta', text).replace(/[\\.+*?()|[\]{}^$]/g, '\\$&'),
};

/** The regular expression functions and their `must` forms, which are the same here: both fail on an invalid pattern. */
export const regexFunctions: readonly (readonly [string, TemplateFunction])[] = Object.entries(functions).flatMap(
  ([name, apply]) => [[name, apply] as const, [`must${name.charAt(0).toUpperCase()}${name.slice(1)}`, apply] as const],
);
