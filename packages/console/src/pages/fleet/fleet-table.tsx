import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Count, FleetRow } from '../../model/fleet.js';
import type { FleetChoice, FleetItem, SortKey } from '../../model/fleet-list.js';
import { useNow } from '../clock/use-now.js';
import { StateMark } from '../parts/state-mark.js';
import { span } from '../parts/text.js';
import { useMedia } from '../parts/use-media.js';
import { VirtualRows } from '../parts/virtual-rows.js';
import { navigate, Link, pathTo } from '../shell/router.js';

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

/** The focused row. It is identified by its cluster, because rows change their order. */
interface FocusedRow {
  /** Key of the cluster; '' before the keyboard was used. */
  readonly key: string;
  readonly index: number;
  readonly moves: number;
}

/** The focused row is kept here, and restored when the user returns from a cluster page. */
let lastFocusedRow: FocusedRow = { key: '', index: -1, moves: 0 };

const rowPx = { wide: 34, narrow: 94 };

export function FleetTable({ items, choice, isExplaining, onChange }: FleetTableProps): JSX.Element {
  const isNarrow = useMedia('(max-width: 760px)');
  const [focusedRow, setFocusedRow] = useState(lastFocusedRow);
  const active = indexOf(items, focusedRow);
  const focusRow = (index: number): void => {
    const item = items[index];
    if (item?.kind !== 'row') return;
    lastFocusedRow = { key: keyOf(item.row), index, moves: lastFocusedRow.moves + 1 };
    setFocusedRow(lastFocusedRow);
  };
  const now = useNow(10_000);
  const height = isNarrow ? rowPx.narrow : rowPx.wide;
  return (
    <VirtualRows
      count={items.length}
      rowPx={height}
      active={active}
      moves={focusedRow.moves}
      label="Clusters"
      order={JSON.stringify(choice)}
      head={<FleetHead choice={choice} isExplaining={isExplaining} onChange={onChange} />}
      onKeyDown={(event) => move(event, items, active, focusRow)}
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
            key={keyOf(item.row)}
            row={item.row}
            index={index}
            now={now}
            place={place}
            isActive={index === active || (active < 0 && index === 0)}
            isFocused={index === active}
            onOpen={() => focusRow(index)}
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
          Reason{isExplaining && ' (loading…)'}
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
  readonly onOpen: () => void;
}

function Row({ row, index, now, place, isActive, isFocused, onOpen }: RowProps): JSX.Element {
  const path = pathTo('clusters', row.namespace, row.name);
  const link = useRef<HTMLAnchorElement | null>(null);
  // Focus the link after every render, because a row that moves loses the focus. Never take the focus from other elements.
  useLayoutEffect(() => {
    if (isFocused && isFocusFree()) link.current?.focus({ preventScroll: true });
  });
  return (
    <div
      role="row"
      class="row cluster"
      aria-rowindex={index + 2}
      style={place}
      // A click anywhere on the row opens the cluster. Keyboard and screen reader users use the link.
      onClick={(event) => {
        onOpen();
        if (!(event.target as Element).closest('a, button')) navigate(path);
      }}
    >
      <span role="cell" class="name">
        <Link
          to={path}
          tabIndex={isActive ? 0 : -1}
          onMounted={(mounted) => {
            link.current = mounted;
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
      <Version row={row} />
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

function Version({ row: { version, running, upgrade } }: { readonly row: FleetRow }): JSX.Element {
  return (
    <span role="cell" class="version">
      {running !== '' && (
        <span title={`The control plane is being upgraded from ${running} to ${version}`}>{running} → </span>
      )}
      {version}
      {upgrade !== '' && (
        <em class="tag" title={`The ClusterClass supports ${upgrade}`}>
          ↑ {upgrade}
        </em>
      )}
    </span>
  );
}

function Ready({ count: [ready, wanted], of }: { readonly count: Count; readonly of: string }): JSX.Element {
  return (
    <span class={ready < wanted ? 'short' : ''} title={`${ready} of ${wanted} ${of} are ready`}>
      {ready}/{wanted}
    </span>
  );
}

function keyOf({ namespace, name }: FleetRow): string {
  return `${namespace}/${name}`;
}

/** Returns the index of the focused cluster's row. If the cluster was deleted, returns the row that took its position. */
function indexOf(items: readonly FleetItem[], { key, index }: FocusedRow): number {
  if (key === '') return -1;
  const found = items.findIndex((item) => item.kind === 'row' && keyOf(item.row) === key);
  if (found >= 0) return found;
  const next = items.findIndex((item, at) => item.kind === 'row' && at >= index);
  return next >= 0 ? next : items.findLastIndex(({ kind }) => kind === 'row');
}

function isFocusFree(): boolean {
  const { activeElement: owner, body } = document;
  return owner === null || owner === body || owner.closest('.rows-all') !== null;
}

function move(
  event: KeyboardEvent,
  items: readonly FleetItem[],
  active: number,
  focusRow: (index: number) => void,
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
  // Skip group headings.
  while (items[next]?.kind === 'group' && next > 0 && next < items.length - 1) next += step > 0 ? 1 : -1;
  if (items[next]?.kind === 'group') next = items.findIndex(({ kind }) => kind === 'row');
  focusRow(next);
}
