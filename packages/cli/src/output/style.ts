/** What a word looks like. Each takes text and gives it back, with or without the codes of a terminal. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly name: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
}

const same = (text: string): string => text;
const code =
  (on: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001B[${on}m${text}\u001B[0m`;

export const plainStyle: Style = { bold: same, faint: same, name: same, good: same, bad: same, doubtful: same };

/** The colours that clusterctl uses. */
export const colourStyle: Style = {
  bold: code(1),
  faint: code(90),
  name: code(36),
  good: code(32),
  bad: code(31),
  doubtful: code(33),
};

/** Colour on a terminal only, and never against NO_COLOR. A flag decides over the terminal, not over NO_COLOR. */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  flag: boolean | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Style {
  if ((env['NO_COLOR'] ?? '') !== '') return plainStyle;
  return (flag ?? (stream.isTTY === true && env['TERM'] !== 'dumb')) ? colourStyle : plainStyle;
}
