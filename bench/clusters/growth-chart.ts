import type { Growth } from './report.js';

const width = 640;
const height = 300;
const margin = { left: 60, right: 60, top: 30, bottom: 45 };

interface Line {
  readonly label: string;
  readonly colour: string;
  readonly of: (growth: Growth) => number;
  readonly side: 'left' | 'right';
}

const lines: readonly Line[] = [
  { label: 'CPU for each cluster, ms', colour: '#1f6feb', side: 'left', of: ({ cpuMs, count }) => cpuMs / count },
  {
    label: 'resident memory for each cluster, MB',
    colour: '#bf3989',
    side: 'right',
    of: ({ megabytesEach }) => megabytesEach,
  },
];

/**
 * Draws the cost of one cluster by the number of clusters: on a flat line it does not depend on the number. Both axes start at 0.
 */
export function growthChart(growth: readonly Growth[]): string {
  const counts = growth.map(({ count }) => count);
  const [first, last] = [Math.log10(Math.min(...counts)), Math.log10(Math.max(...counts))];
  const x = (count: number): number =>
    margin.left + ((Math.log10(count) - first) / (last - first || 1)) * (width - margin.left - margin.right);
  const ticks = counts.map((count) => text(x(count), height - margin.bottom + 18, 'middle', '#57606a', `${count}`));
  const axis = `<path d="M${margin.left} ${margin.top}V${height - margin.bottom}H${width - margin.right}V${margin.top}" fill="none" stroke="#8c959f"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>Cost per cluster by number of clusters</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${axis}
${ticks.join('\n')}
${text(width / 2, height - 8, 'middle', '#57606a', 'clusters')}
${lines.map((line) => drawLine(line, growth, x)).join('\n')}
</svg>
`;
}

function drawLine({ label, colour, of, side }: Line, growth: readonly Growth[], x: (count: number) => number): string {
  const most = Math.max(...growth.map(of)) * 1.25;
  const y = (value: number): number => height - margin.bottom - (value / most) * (height - margin.top - margin.bottom);
  const points = growth.map((each) => `${x(each.count).toFixed(1)},${y(of(each)).toFixed(1)}`).join(' ');
  const dots = growth.map(
    (each) => `<circle cx="${x(each.count).toFixed(1)}" cy="${y(of(each)).toFixed(1)}" r="3" fill="${colour}"/>`,
  );
  const values = growth.map((each) => text(x(each.count), y(of(each)) - 8, 'middle', colour, of(each).toPrecision(3)));
  const [at, anchor] = side === 'left' ? [margin.left, 'start'] : [width - margin.right, 'end'];
  return [
    `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...dots,
    ...values,
    text(at, margin.top - 12, anchor, colour, label),
  ].join('\n');
}

function text(x: number, y: number, anchor: string, colour: string, content: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${colour}">${content}</text>`;
}
