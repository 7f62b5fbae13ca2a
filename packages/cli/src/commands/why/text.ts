import { type Explanation, refText, type RootCause } from '@slipway/insight';
import { type Style, wrapText } from '../../output/index.js';

export interface ExplanationTextOptions {
  readonly style: Style;
  readonly width: number;
}

/** An answer for a person: what it is, how one gets there, what was seen, what to do. */
export function explanationText(explanation: Explanation, options: ExplanationTextOptions): string {
  const { subject, verdict, root, others } = explanation;
  const { style } = options;
  if (root === undefined) return `${refText(subject)} is ${style.good('well')}: it waits for nothing.\n`;
  const state = verdict === 'waiting' ? style.doubtful('is waiting') : style.bad('needs somebody');
  const lines = [
    `${refText(subject)} ${state}: ${style.bold(root.cause)}`,
    '',
    ...indented(root.message, '  ', options),
    '',
    ...pathLines(root, style),
    ...section(
      'Seen',
      root.evidence.map(({ object, fact }) => `${refText(object)}: ${fact}`),
      options,
    ),
    ...section('Means', [`${root.means} ${root.remedy}`], options),
    ...nextLines(root, style),
    ...otherLines(others, options),
  ];
  return `${lines.join('\n')}\n`;
}

/** From the object that was asked about down to the one to blame. */
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

/** Never wrapped: they are copied. */
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
