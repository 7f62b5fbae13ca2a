// Renders the text of a terminal as an SVG for the docs: `tmux capture-pane -ep | node scripts/terminal-picture.mjs > picture.svg`.
import { readFileSync } from 'node:fs';

const cell = { width: 8.4, height: 18 };
const padding = 16;
const colours = {
  30: '#45475a',
  31: '#f38ba8',
  32: '#a6e3a1',
  33: '#f9e2af',
  34: '#89b4fa',
  35: '#cba6f7',
  36: '#94e2d5',
  37: '#cdd6f4',
  90: '#7f849c',
};
const sequence = new RegExp(`(${String.fromCharCode(27)}\\[[\\d;]*m)`);
// Spaces are replaced, because browsers collapse them, which would stretch the rest of a row to its textLength.
const escapeText = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '&#160;');

/** Splits a line at its SGR sequences into pieces with one style each. */
function piecesOf(line) {
  const pieces = [];
  let style = {};
  let column = 0;
  for (const part of line.split(sequence)) {
    const codes = sequence.test(part) ? part.slice(2, -1) : undefined;
    if (codes !== undefined) style = styleAfter(style, codes);
    else if (part !== '') {
      pieces.push({ text: part, column, ...style });
      column += [...part].length;
    }
  }
  return { pieces, columns: column };
}

function styleAfter(style, codes) {
  let next = style;
  for (const code of codes === '' ? [0] : codes.split(';').map(Number)) {
    if (code === 0) next = {};
    else if (code === 1) next = { ...next, bold: true };
    else if (code === 2) next = { ...next, colour: colours[90] };
    else if (code === 39) next = { ...next, colour: undefined };
    else if (colours[code] !== undefined) next = { ...next, colour: colours[code] };
  }
  return next;
}

const lines = readFileSync(0, 'utf8').trimEnd().split('\n').map(piecesOf);
const width = Math.ceil(Math.max(...lines.map(({ columns }) => columns)) * cell.width + 2 * padding);
const height = lines.length * cell.height + 2 * padding;
const rows = lines.flatMap(({ pieces }, row) =>
  pieces.map(({ text, column, bold, colour }) => {
    const x = (padding + column * cell.width).toFixed(1);
    const y = padding + (row + 0.75) * cell.height;
    const attributes = `${bold ? ' font-weight="bold"' : ''}${colour === undefined ? '' : ` fill="${colour}"`}`;
    return `<text x="${x}" y="${y}" textLength="${([...text].length * cell.width).toFixed(1)}"${attributes}>${escapeText(text)}</text>`;
  }),
);
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" rx="8" fill="#1e1e2e"/>
<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#cdd6f4">
${rows.join('\n')}
</g>
</svg>
`);
