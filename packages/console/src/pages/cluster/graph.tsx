import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { refKey, type Tone } from '../../model/cluster.js';
import type { GraphEdge, GraphNode, GraphObject, GraphView, NodePart } from '../../model/graph.js';
import { placeNodes, type Slot, type Slots } from '../../model/graph-layout.js';
import { objectPath } from '../parts/object-link.js';
import { go } from '../shell/router.js';

const size = { column: 236, row: 58, width: 196, height: 42, margin: 16 };
const partNames: Readonly<Record<Exclude<NodePart, 'machine'>, string>> = {
  infrastructure: 'infra',
  bootstrap: 'boot',
  data: 'data',
};

/** Who owns and who refers to whom. Places are given once; what changes is drawn where it stands. */
export function Graph({ graph }: { readonly graph: GraphView }): JSX.Element {
  const places = useRef<Slots>(new Map());
  const slots = useMemo(() => {
    places.current = placeNodes(places.current, graph.nodes);
    return places.current;
  }, [graph.nodes]);
  const rows = Math.max(0, ...[...slots.values()].map(({ row }) => row)) + 1;
  const width = 5 * size.column + size.margin;
  const height = rows * size.row + size.margin * 2 + 20;
  return (
    <div class="graph">
      <Legend />
      <div class="graph-box" tabIndex={0} role="group" aria-label="Ownership graph; scrolls">
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-label="Who owns and refers to whom">
          <rect class="apart" x={4 * size.column} y={4} width={size.column} height={height - 8} rx="8" />
          {['Cluster', 'Parts', 'Sets', 'Nodes', 'Templates'].map((name, column) => (
            <text key={name} class="column-title" x={size.margin + column * size.column} y={16}>
              {name}
            </text>
          ))}
          {Object.entries(graph.edges).map(([key, edge]) => (
            <Edge key={key} edge={edge} slots={slots} />
          ))}
          {Object.entries(graph.nodes).map(([key, node]) => {
            const slot = slots.get(key);
            return slot === undefined ? null : <Node key={key} node={node} slot={slot} />;
          })}
        </svg>
      </div>
    </div>
  );
}

function Legend(): JSX.Element {
  const lines: readonly { readonly kind: GraphEdge['kind']; readonly name: string }[] = [
    { kind: 'controls', name: 'makes and owns' },
    { kind: 'owns', name: 'owns' },
    { kind: 'refers', name: 'refers to' },
  ];
  return (
    <p class="legend">
      {lines.map(({ kind, name }) => (
        <span key={kind}>
          <svg width="28" height="8" aria-hidden="true">
            <path class={`edge ${kind}`} d="M0 4h28" />
          </svg>
          {name}
        </span>
      ))}
      <span>A node is four objects: its Machine, infrastructure, bootstrap config and data.</span>
    </p>
  );
}

function corner({ column, row }: Slot): { readonly x: number; readonly y: number } {
  return { x: size.margin + column * size.column, y: size.margin + 10 + row * size.row };
}

function Edge({ edge, slots }: { readonly edge: GraphEdge; readonly slots: Slots }): JSX.Element | null {
  const [from, to] = [slots.get(edge.from), slots.get(edge.to)];
  if (from === undefined || to === undefined) return null;
  const [start, end] = [corner(from), corner(to)];
  const [y1, y2] = [start.y + size.height / 2, end.y + size.height / 2];
  if (from.column === to.column) {
    const x = start.x;
    return <path class={`edge ${edge.kind}`} d={`M${x} ${y1}C${x - 22} ${y1},${x - 22} ${y2},${x} ${y2}`} />;
  }
  const isForward = to.column > from.column;
  const x1 = isForward ? start.x + size.width : start.x;
  const x2 = isForward ? end.x : end.x + size.width;
  // Straight through the gaps between columns, bent only beside the boxes.
  const bend = isForward ? 20 : -20;
  const d =
    y1 === y2 ? `M${x1} ${y1}H${x2}` : `M${x1} ${y1}C${x1 + bend} ${y1},${x1 + bend / 2} ${y2},${x1 + bend * 2} ${y2}H${x2}`;
  return <path class={`edge ${edge.kind}`} d={d} />;
}

function Node({ node, slot }: { readonly node: GraphNode; readonly slot: Slot }): JSX.Element {
  const { x, y } = corner(slot);
  const { role, parts } = node;
  return (
    <g class={`node ${role} tone-${node.tone}`} transform={`translate(${x} ${y})`}>
      <ObjectBox object={node} width={size.width} height={size.height}>
        <rect width={size.width} height={size.height} rx="6" />
        <circle class="dot" cx="12" cy="14" r="4" />
        <text class="node-kind" x="22" y="17">
          {node.ref.kind}
        </text>
        {parts === undefined && (
          <text class="node-name" x="10" y="34">
            {clip(node.ref.name, 28)}
          </text>
        )}
      </ObjectBox>
      {parts !== undefined && <Parts name={node.ref.name} parts={parts} />}
    </g>
  );
}

/** The other three objects of a node stand in its box. */
function Parts({ name, parts }: { readonly name: string; readonly parts: NonNullable<GraphNode['parts']> }): JSX.Element {
  return (
    <>
      <text class="node-name" x="76" y="17">
        {clip(name, 17, 'end')}
      </text>
      {(['infrastructure', 'bootstrap', 'data'] as const).map((part, index) => {
        const object = parts[part];
        const tone: Tone = object?.tone ?? 'off';
        return (
          <g key={part} class={`part tone-${tone}`} transform={`translate(${8 + index * 62} 23)`}>
            {object === undefined ? (
              <PartChip name={partNames[part]} isMissing />
            ) : (
              <ObjectBox object={object} width={58} height={15}>
                <PartChip name={partNames[part]} />
              </ObjectBox>
            )}
          </g>
        );
      })}
    </>
  );
}

function PartChip({ name, isMissing = false }: { readonly name: string; readonly isMissing?: boolean }): JSX.Element {
  return (
    <>
      <rect class={isMissing ? 'chip-box missing' : 'chip-box'} width="58" height="15" rx="3" />
      <circle class="dot" cx="8" cy="7.5" r="3" />
      <text x="16" y="11">
        {name}
      </text>
    </>
  );
}

interface ObjectBoxProps {
  readonly object: GraphObject;
  readonly width: number;
  readonly height: number;
  readonly children: JSX.Element | readonly (JSX.Element | false)[];
}

function ObjectBox({ object, children }: ObjectBoxProps): JSX.Element {
  const path = objectPath(object.ref);
  const said = `${object.ref.kind} ${object.ref.name}${object.text === '' ? '' : `, ${object.text}`}`;
  return (
    <a
      href={path}
      aria-label={said}
      data-key={refKey(object.ref)}
      onClick={(event: MouseEvent) => {
        event.preventDefault();
        go(path);
      }}
    >
      <title>{said}</title>
      {children}
    </a>
  );
}

/** Names of one cluster begin alike: of long ones the end says more. */
function clip(text: string, length: number, keep: 'start' | 'end' = 'start'): string {
  if (text.length <= length) return text;
  return keep === 'start' ? `${text.slice(0, length - 1)}…` : `…${text.slice(1 - length)}`;
}
