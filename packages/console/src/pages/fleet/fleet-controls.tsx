import type { JSX } from 'preact';
import { type FilterKey, type FleetChoice, type GroupKey, stateNames } from '../../model/fleet-list.js';
import { Mark, type Tone, toneOf } from '../parts/state-mark.js';

interface FleetControlsProps {
  readonly choice: FleetChoice;
  readonly counts: Readonly<Record<FilterKey, number>>;
  readonly onChange: (part: Partial<FleetChoice>) => void;
}

const filters: readonly { readonly key: FilterKey; readonly name: string; readonly tone?: Tone }[] = [
  { key: 'all', name: 'All' },
  { key: 'unavailable', name: stateNames.unavailable, tone: toneOf.unavailable },
  { key: 'blocked', name: stateNames.blocked, tone: toneOf.blocked },
  { key: 'coming', name: stateNames.coming, tone: toneOf.coming },
  { key: 'deleting', name: stateNames.deleting, tone: toneOf.deleting },
  { key: 'available', name: stateNames.available, tone: toneOf.available },
  { key: 'upgrade', name: 'Upgrade available' },
  { key: 'paused', name: 'Paused' },
];

const groups: readonly { readonly key: GroupKey; readonly name: string }[] = [
  { key: 'none', name: 'No groups' },
  { key: 'namespace', name: 'By namespace' },
  { key: 'state', name: 'By state' },
  { key: 'version', name: 'By version' },
  { key: 'infrastructure', name: 'By infrastructure' },
  { key: 'clusterClass', name: 'By class' },
];

export function FleetControls({ choice, counts, onChange }: FleetControlsProps): JSX.Element {
  return (
    <div class="controls" role="search">
      <input
        type="search"
        aria-label="Search clusters"
        placeholder="Search name, version, reason…"
        value={choice.search}
        onInput={(event) => onChange({ search: event.currentTarget.value })}
      />
      <div class="chips" role="group" aria-label="Filter by state">
        {filters
          .filter(({ key }) => key === 'all' || counts[key] > 0 || choice.filter === key)
          .map(({ key, name, tone }) => (
            <button
              key={key}
              type="button"
              class="chip"
              aria-pressed={choice.filter === key}
              onClick={() => onChange({ filter: choice.filter === key ? 'all' : key })}
            >
              {tone !== undefined && <Mark tone={tone} />}
              {name} <b>{counts[key]}</b>
            </button>
          ))}
      </div>
      <select
        aria-label="Group"
        value={choice.group}
        onChange={(event) => onChange({ group: event.currentTarget.value as GroupKey })}
      >
        {groups.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
