import { type Diagnosis, refText, type Report } from '@slipway/insight';
import { type Style, wrapText } from '../../output/index.js';

export interface ReportTextOptions {
  readonly style: Style;
  readonly width: number;
}

const marks = { error: '✗', warning: '!', info: '·' } as const;

/** Formats each finding with its remedy below it. */
export function reportText({ diagnoses, well }: Report, options: ReportTextOptions): string {
  const { style } = options;
  const lines = diagnoses.flatMap((diagnosis) => diagnosisLines(diagnosis, options));
  const count = (severity: Diagnosis['severity']): number =>
    diagnoses.filter((one) => one.severity === severity).length;
  const fine = well.filter((area) => !diagnoses.some((one) => one.area === area));
  return [
    ...lines,
    ...(fine.length === 0 ? [] : [`${style.good('✓')} passed: ${fine.join(', ')}`]),
    '',
    `${count('error')} errors, ${count('warning')} warnings, ${count('info')} notices`,
    '',
  ].join('\n');
}

function diagnosisLines(
  { area, severity, what, where, remedy }: Diagnosis,
  { style, width }: ReportTextOptions,
): string[] {
  const paint = { error: style.bad, warning: style.doubtful, info: style.faint }[severity];
  const text = `${area}: ${where === undefined ? '' : `${refText(where)}: `}${what}`;
  const [first = '', ...more] = wrapText(text, width - 2);
  return [
    `${paint(marks[severity])} ${first}`,
    ...more.map((line) => `  ${line}`),
    ...wrapText(`→ ${remedy}`, width - 4).map((line) => `    ${line}`),
  ];
}
