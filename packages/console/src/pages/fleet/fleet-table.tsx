import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Count, FleetRow } from '../../model/fleet.js';
import type { FleetChoice, FleetItem, SortKey } from '../../model/fleet-list.js';
import { useNow } from '../clock/use-now.js';
import { StateMark } from '../parts/state-mark.js';
import { span } from '../parts/text.js';
import { useMedia } from '../parts/use-media.js';
import { VirtualRows } from '../parts/virtual-rows.js';
import { go, Link, pathTo } from '../shell/router.js';

interface FleetTableProps {
  readonly items: readonly FleetItem[];
  readonly choice: FleetChoice;
  readonly isExplaining: boolean;
  readonly onChange: (part: Partial<FleetChoice>) => void;
}

const columns: readonly { readonly key: SortKey; readonly name: string; readonly class: string }[] = [
  { key: 'name', name: 'Cluster', class: 'name' },
  { key: 'state', name: 'State', class: 'state-cell' },
  { key: 'version', name: 'Version', class: 'version' },
  { key: 'infrastructure', name: 'Infrastructure', class: 'infrastructure' },
  { key: 'controlPlane', name: 'Control plane', class: 'count' },
  { key: 'workers', name: 'Workers', class: 'count' },
  { key: 'createdAt', name: 'Age', class: 'age' },
];

const rowPx = { wide: 34, narrow: 76 };

export function FleetTable({ items, choice, isExplaining, onChange }: FleetTableProps): JSX.Element {
  const isNarrow = useMedia('(max-width: 760px)');
  const [active, setActive] = useState(-1);
  const now = useNow(10_000);
  const height = isNarrow ? rowPx.narrow : rowPx.wide;
  return (
    <VirtualRows
      count={items.length}
      rowPx={height}
      active={active}
      label="Clusters"
      order={JSON.stringify(choice)}
      head={<FleetHead choice={choice} isExplaining={isExplaining} onChange={onChange} />}
      onKeyDown={(event) => move(event, items, active, setActive)}
    >
      {(index) => {
        const item = items[index];
        if (item === undefined) return null;
        const place = { top: `${index * height}px`, height: `${height}px` };
        if (item.kind === 'group')
          return (
            <div role="row" class="row group" key={`group ${item.title}`} aria-rowindex={index + 2} style={place}>
              <span role="cell">
                {item.title} <b>{item.count}</b>
              </span>
            </div>
          );
        return (
          <Row
            key={`${item.row.namespace}/${item.row.name}`}
            row={item.row}
            index={index}
            now={now}
            place={place}
            isActive={index === active || (active < 0 && index === 0)}
            isFocused={index === active}
          />
        );
      }}
    </VirtualRows>
  );
}

function FleetHead({ choice, isExplaining, onChange }: Omit<FleetTableProps, 'items'>): JSX.Element {
  return (
    <div role="rowgroup" class="rows-head" data-head="yes">
      <div role="row" class="row head-row" aria-rowindex={1}>
        {columns.map(({ key, name, class: className }) => {
          const isSorted = choice.sort === key;
          return (
            <span
              key={key}
              role="columnheader"
              class={className}
              aria-sort={isSorted ? (choice.descending ? 'descending' : 'ascending') : 'none'}
            >
              <button type="button" onClick={() => onChange({ sort: key, descending: isSorted && !choice.descending })}>
                {name}
                <i aria-hidden="true">{isSorted ? (choice.descending ? '↓' : '↑') : ''}</i>
              </button>
            </span>
          );
        })}
        <span role="columnheader" class="why" aria-busy={isExplaining}>
          Why not{isExplaining && ' (looking…)'}
        </span>
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: FleetRow;
  readonly index: number;
  readonly now: number;
  readonly place: { readonly top: string; readonly height: string };
  readonly isActive: boolean;
  readonly isFocused: boolean;
}

function Row({ row, index, now, place, isActive, isFocused }: RowProps): JSX.Element {
  const path = pathTo('clusters', row.namespace, row.name);
  return (
    <div
      role="row"
      class="row cluster"
      aria-rowindex={index + 2}
      style={place}
      // A click anywhere opens it; the keyboard and screen readers have the link.
      onClick={(event) => {
        if (!(event.target as Element).closest('a, button')) go(path);
      }}
    >
      <span role="cell" class="name">
        <Link
          to={path}
          tabIndex={isActive ? 0 : -1}
          onPlaced={(link) => {
            if (isFocused) link.focus({ preventScroll: true });
          }}
        >
          {row.name}
        </Link>
        <small>{row.namespace}</small>
      </span>
      <span role="cell" class="state-cell">
        <StateMark state={row.state} />
        {row.paused && <em class="tag">Paused</em>}
      </span>
      <span role="cell" class="version">
        {row.version}
        {row.upgrade !== '' && (
          <em class="tag" title={`Its class offers ${row.upgrade}`}>
            ↑ {row.upgrade}
          </em>
        )}
      </span>
      <span role="cell" class="infrastructure">
        {row.infrastructure}
      </span>
      <span role="cell" class="count">
        <Ready count={row.controlPlane} of="control plane machines" />
      </span>
      <span role="cell" class="count">
        <Ready count={row.workers} of="workers" />
      </span>
      <span role="cell" class="age">
        {span(Math.max(0, now - row.createdAt))}
      </span>
      <span role="cell" class="why" title={row.message}>
        {row.message === '' ? row.reason : row.message}
      </span>
    </div>
  );
}

function Ready({ count: [ready, wanted], of }: { readonly count: Count; readonly of: string }): JSX.Element {
  return (
    <span class={ready < wanted ? 'short' : ''} title={`${ready} of ${wanted} ${of} are ready`}>
      {ready}/{wanted}
    </span>
  );
}

function move(
  event: KeyboardEvent,
  items: readonly FleetItem[],
  active: number,
  setActive: (index: number) => void,
): void {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: 15,
    PageUp: -15,
    Home: -items.length,
    End: items.length,
  };
  const step = steps[event.key];
  if (step === undefined || items.length === 0) return;
  event.preventDefault();
  let next = Math.min(Math.max(Math.max(active, 0) + step, 0), items.length - 1);
  // Headings are passed over.
  while (items[next]?.kind === 'group' && next > 0 && next < items.length - 1) next += step > 0 ? 1 : -1;
  if (items[next]?.kind === 'group') next = items.findIndex(({ kind }) => kind === 'row');
  setActive(next);
}
