import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { refKey } from '../../model/cluster.js';
import { type GraphEdge, type GraphNode, type GraphObject, type GraphView, nodeParts } from '../../model/graph.js';
import { placeNodes, type Slot, type Slots } from '../../model/graph-layout.js';
import { objectPath } from '../parts/object-link.js';
import { navigate } from '../shell/router.js';

const size = { column: 236, row: 70, width: 196, height: 56, margin: 16 };
const shortNames: Readonly<Record<string, string>> = { kubeconfig: 'conf' };

/** The graph of owner references and object references. Nodes keep their positions when the graph changes. */
export function Graph({ graph }: { readonly graph: GraphView }): JSX.Element {
  const [highlighted, setHighlighted] = useState('');
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
      <div class="graph-box" tabIndex={0} role="group" aria-label="Ownership graph (scrollable)">
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          aria-label="Owner references and object references"
        >
          <rect class="apart" x={4 * size.column} y={4} width={size.column} height={height - 8} rx="8" />
          {['Cluster', 'Parts', 'Sets', 'Nodes', 'Templates'].map((name, column) => (
            <text key={name} class="column-title" x={size.margin + column * size.column} y={16}>
              {name}
            </text>
          ))}
          {Object.entries(graph.edges).map(([key, edge]) => (
            <Edge
              key={key}
              edge={edge}
              slots={slots}
              isHighlighted={edge.from === highlighted || edge.to === highlighted}
            />
          ))}
          {Object.entries(graph.nodes).map(([key, node]) => {
            const slot = slots.get(key);
            return slot === undefined ? null : (
              <Node
                key={key}
                node={node}
                slot={slot}
                onHighlight={(isHighlighted) => setHighlighted(isHighlighted ? key : '')}
              />
            );
          })}
        </svg>
      </div>
    </div>
  );
}

function Legend(): JSX.Element {
  const lines: readonly { readonly kind: GraphEdge['kind']; readonly name: string }[] = [
    { kind: 'controls', name: 'creates and owns' },
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
      <span>
        A machine node combines four objects: Machine, infrastructure machine, bootstrap config and bootstrap data.
      </span>
    </p>
  );
}

function corner({ column, row }: Slot): { readonly x: number; readonly y: number } {
  return { x: size.margin + column * size.column, y: size.margin + 10 + row * size.row };
}

interface EdgeProps {
  readonly edge: GraphEdge;
  readonly slots: Slots;
  /** Whether one of the two nodes of the edge is hovered or focused. */
  readonly isHighlighted: boolean;
}

function Edge({ edge, slots, isHighlighted }: EdgeProps): JSX.Element | null {
  const [from, to] = [slots.get(edge.from), slots.get(edge.to)];
  if (from === undefined || to === undefined) return null;
  const [start, end] = [corner(from), corner(to)];
  const [y1, y2] = [start.y + size.height / 2, end.y + size.height / 2];
  const style = `edge ${edge.kind}${to.column === 4 ? ' far' : ''}${isHighlighted ? ' lit' : ''}`;
  if (from.column === to.column) {
    const x = start.x;
    return <path class={style} d={`M${x} ${y1}C${x - 22} ${y1},${x - 22} ${y2},${x} ${y2}`} />;
  }
  const isForward = to.column > from.column;
  const x1 = isForward ? start.x + size.width : start.x;
  const x2 = isForward ? end.x : end.x + size.width;
  const bend = Math.min(Math.abs(x2 - x1) / 2, 120) * (isForward ? 1 : -1);
  return <path class={style} d={`M${x1} ${y1}C${x1 + bend} ${y1},${x2 - bend} ${y2},${x2} ${y2}`} />;
}

interface NodeProps {
  readonly node: GraphNode;
  readonly slot: Slot;
  readonly onHighlight: (isHighlighted: boolean) => void;
}

function Node({ node, slot, onHighlight }: NodeProps): JSX.Element {
  const { x, y } = corner(slot);
  const { role, parts } = node;
  return (
    <g
      class={`node ${role} tone-${node.tone}`}
      transform={`translate(${x} ${y})`}
      onMouseEnter={() => onHighlight(true)}
      onMouseLeave={() => onHighlight(false)}
      onFocusCapture={() => onHighlight(true)}
      onBlurCapture={() => onHighlight(false)}
    >
      <ObjectBox object={node}>
        <rect width={size.width} height={size.height} rx="6" />
        <circle class="dot" cx="12" cy="14" r="4" />
        <text class="node-kind" x="22" y="17">
          {node.ref.kind}
        </text>
        <text class="node-name" x="10" y="31">
          {clip(node.ref.name, 28, role === 'machine' ? 'end' : 'start')}
        </text>
      </ObjectBox>
      {parts !== undefined && <Parts node={node} parts={parts} />}
    </g>
  );
}

/** The further objects in a node: the parts of a Machine, or the Secrets of a control plane. */
function Parts({
  node,
  parts,
}: {
  readonly node: GraphNode;
  readonly parts: NonNullable<GraphNode['parts']>;
}): JSX.Element {
  const names = node.role === 'machine' ? nodeParts : Object.keys(parts).toSorted();
  const width = Math.min(58, (size.width - 14) / names.length - 3);
  return (
    <>
      {names.map((name, index) => {
        const object = parts[name];
        return (
          <g
            key={name}
            class={`chip-part tone-${object?.tone ?? 'off'}`}
            transform={`translate(${8 + index * (width + 3)} 37)`}
          >
            {object === undefined ? (
              <PartChip name={name} width={width} isMissing />
            ) : (
              <ObjectBox object={object}>
                <PartChip name={name} width={width} />
              </ObjectBox>
            )}
          </g>
        );
      })}
    </>
  );
}

interface PartChipProps {
  readonly name: string;
  readonly width: number;
  readonly isMissing?: boolean;
}

function PartChip({ name, width, isMissing = false }: PartChipProps): JSX.Element {
  const hasDot = width > 50;
  return (
    <>
      <rect class={isMissing ? 'chip-box missing' : 'chip-box'} width={width} height="15" rx="3" />
      {hasDot && <circle class="dot" cx="8" cy="7.5" r="3" />}
      <text x={hasDot ? 16 : 4} y="11">
        {clip(shortNames[name] ?? name, hasDot ? 7 : 5)}
      </text>
    </>
  );
}

interface ObjectBoxProps {
  readonly object: GraphObject;
  readonly children: ComponentChildren;
}

function ObjectBox({ object, children }: ObjectBoxProps): JSX.Element {
  const path = objectPath(object.ref);
  const said = `${object.ref.kind} ${object.ref.name}${object.text === '' ? '' : `, ${object.text}`}`;
  return (
    <a
      href={path}
      data-key={refKey(object.ref)}
      onClick={(event: MouseEvent) => {
        event.preventDefault();
        navigate(path);
      }}
    >
      <title>{said}</title>
      {children}
    </a>
  );
}

/** Shortens a name. Object names of a cluster share a prefix, so that the end of a long name distinguishes them. */
function clip(text: string, length: number, keep: 'start' | 'end' = 'start'): string {
  if (text.length <= length) return text;
  return keep === 'start' ? `${text.slice(0, length - 1)}…` : `…${text.slice(1 - length)}`;
}
