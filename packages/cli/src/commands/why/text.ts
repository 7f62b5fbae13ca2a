import { type Explanation, refText, type RootCause } from '@slipway/insight';
import { humanDuration } from '@slipway/kube';
import { type Style, wrapText } from '../../output/index.js';

export interface ExplanationTextOptions {
  readonly style: Style;
  readonly width: number;
}

/** Formats the root cause, the path to it, the evidence and the remedy. */
export function explanationText(explanation: Explanation, options: ExplanationTextOptions): string {
  const { subject, verdict, root, others } = explanation;
  const { style } = options;
  if (root === undefined) return `${refText(subject)} is ${style.good('healthy')}: it is not waiting for anything.\n`;
  const lines = [
    `${refText(subject)} ${stateText(verdict, root, style)}: ${style.bold(root.cause)}`,
    '',
    ...indented(root.message, '  ', options),
    ...experienceLines(root),
    '',
    ...pathLines(root, style),
    ...section(
      'Evidence',
      root.evidence.map(({ object, fact }) => `${refText(object)}: ${fact}`),
      options,
    ),
    ...section('Explanation', [`${root.means} ${root.remedy}`], options),
    ...nextLines(root, style),
    ...otherLines(others, options),
  ];
  return `${lines.join('\n')}\n`;
}

function stateText(verdict: Explanation['verdict'], { state }: RootCause, style: Style): string {
  if (state === 'held') return style.doubtful('is on hold');
  if (verdict === 'waiting') return style.doubtful('is waiting');
  return style.bad(state === 'failing' ? 'is failing' : 'needs attention');
}

/** Formats how often the operation failed, or how long it usually takes. */
function experienceLines({ attempts, expectedMs }: RootCause): string[] {
  if (attempts !== undefined && attempts > 1)
    return [`  The operation has failed ${attempts} times and will be retried.`];
  if (expectedMs !== undefined) return [`  The other machines of this cluster took ${humanDuration(expectedMs)}.`];
  return [];
}

/** Formats the path from the requested object to the object with the root cause. */
function pathLines({ path }: RootCause, style: Style): string[] {
  if (path.length < 2) return [];
  const lines = path.map(({ object, relation }, index) => {
    const isLast = index === path.length - 1;
    const name = isLast ? style.bold(refText(object)) : refText(object);
    return index === 0 ? `  ${name}` : `  ${'  '.repeat(index - 1)}${style.faint(`└─${relation}`)} ${name}`;
  });
  return [...lines, ''];
}

function section(title: string, texts: readonly string[], options: ExplanationTextOptions): string[] {
  if (texts.length === 0) return [];
  return [title, ...texts.flatMap((text) => bullet(text, options)), ''];
}

function bullet(text: string, { width }: ExplanationTextOptions): string[] {
  const [first = '', ...rest] = text.split('\n').flatMap((line) => wrapText(line, width - 4));
  return [`  - ${first}`, ...rest.map((line) => `    ${line}`)];
}

function indented(text: string, left: string, { width }: ExplanationTextOptions): string[] {
  return wrapText(text, width - left.length).map((line) => left + line);
}

/** Formats the remedies. Commands are not wrapped, so that they can be copied. */
function nextLines({ next }: RootCause, style: Style): string[] {
  return next.length === 0 ? [] : ['Next', ...next.map((command) => `  ${style.name(command)}`)];
}

function otherLines(others: readonly RootCause[], options: ExplanationTextOptions): string[] {
  if (others.length === 0) return [];
  const texts = others.map(
    ({ cause, object, message }) => `${cause}, ${refText(object)}: ${message.split('\n')[0] ?? ''}`,
  );
  return ['', 'Besides', ...texts.flatMap((text) => bullet(text, options))];
}
