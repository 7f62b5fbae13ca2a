import type { ClusterState, FleetRow } from './fleet.js';

export type SortKey = 'name' | 'state' | 'version' | 'infrastructure' | 'controlPlane' | 'workers' | 'createdAt';
export type GroupKey = 'none' | 'namespace' | 'state' | 'version' | 'infrastructure' | 'clusterClass';
export type FilterKey = 'all' | ClusterState | 'upgrade' | 'paused';

/** The user's search, filter, grouping and sort order. */
export interface FleetChoice {
  readonly search: string;
  readonly filter: FilterKey;
  readonly sort: SortKey;
  readonly descending: boolean;
  readonly group: GroupKey;
}

export const choiceDefault: FleetChoice = {
  search: '',
  filter: 'all',
  sort: 'state',
  descending: false,
  group: 'none',
};

export type FleetItem =
  | { readonly kind: 'group'; readonly title: string; readonly count: number }
  | { readonly kind: 'row'; readonly row: FleetRow };

export const stateNames: Readonly<Record<ClusterState, string>> = {
  unavailable: 'Not available',
  blocked: 'Blocked',
  coming: 'In progress',
  deleting: 'Deleting',
  available: 'Available',
};

/** Sort order of the states: those that need a user's attention come first. */
const stateOrder: readonly ClusterState[] = ['unavailable', 'blocked', 'coming', 'deleting', 'available'];

/** Returns the visible rows in order, with a heading before each group. */
export function arrange(rows: readonly FleetRow[], choice: FleetChoice): readonly FleetItem[] {
  const found = search(rows, choice.search).filter((row) => passes(row, choice.filter));
  const sorted = found.sort(comparison(choice));
  if (choice.group === 'none') return sorted.map((row) => ({ kind: 'row', row }));
  const groups = new Map<string, FleetRow[]>();
  for (const row of sorted) {
    const title = groupOf(row, choice.group);
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [row]);
    else group.push(row);
  }
  return [...groups]
    .sort(([left], [right]) => orderOf(left, choice.group) - orderOf(right, choice.group) || compareText(left, right))
    .flatMap(([title, members]): FleetItem[] => [
      { kind: 'group', title, count: members.length },
      ...members.map((row): FleetItem => ({ kind: 'row', row })),
    ]);
}

/** Counts how many of the search results match each filter. */
export function countFilters(rows: readonly FleetRow[], text: string): Readonly<Record<FilterKey, number>> {
  const counts = { all: 0, available: 0, blocked: 0, coming: 0, unavailable: 0, deleting: 0, upgrade: 0, paused: 0 };
  for (const row of search(rows, text)) {
    counts.all += 1;
    counts[row.state] += 1;
    if (row.upgrade !== '') counts.upgrade += 1;
    if (row.paused) counts.paused += 1;
  }
  return counts;
}

function search(rows: readonly FleetRow[], text: string): FleetRow[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [...rows];
  return rows.filter((row) => {
    const { namespace, name, version, running, infrastructure, clusterClass, state, reason, message } = row;
    const all = [
      `${namespace}/${name}`,
      version,
      running,
      infrastructure,
      clusterClass,
      stateNames[state],
      reason,
      message,
    ];
    const haystack = all.join('\n').toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}

function passes(row: FleetRow, filter: FilterKey): boolean {
  if (filter === 'all') return true;
  if (filter === 'upgrade') return row.upgrade !== '';
  return filter === 'paused' ? row.paused : row.state === filter;
}

function groupOf(row: FleetRow, group: Exclude<GroupKey, 'none'>): string {
  const value = group === 'state' ? stateNames[row.state] : row[group];
  return value === '' ? withoutNames[group] : value;
}

const withoutNames: Readonly<Record<Exclude<GroupKey, 'none'>, string>> = {
  namespace: 'Without namespace',
  state: 'Unknown state',
  version: 'Unknown version',
  infrastructure: 'Without infrastructure',
  clusterClass: 'Without a ClusterClass',
};

/** Returns the position of a group. States have a fixed order; other groups are sorted by name. */
function orderOf(title: string, group: GroupKey): number {
  return group === 'state' ? stateOrder.findIndex((state) => stateNames[state] === title) : 0;
}

function comparison({ sort, descending }: FleetChoice): (left: FleetRow, right: FleetRow) => number {
  const sign = descending ? -1 : 1;
  return (left, right) => sign * compareBy(sort, left, right) || compareNames(left, right);
}

function compareBy(sort: SortKey, left: FleetRow, right: FleetRow): number {
  switch (sort) {
    case 'name':
      return compareNames(left, right);
    case 'state':
      return stateOrder.indexOf(left.state) - stateOrder.indexOf(right.state);
    case 'createdAt':
      // Ascending by age means newest first.
      return right.createdAt - left.createdAt;
    case 'controlPlane':
    case 'workers':
      return left[sort][1] - right[sort][1] || left[sort][0] - right[sort][0];
    default:
      return compareText(left[sort], right[sort]);
  }
}

function compareNames(left: FleetRow, right: FleetRow): number {
  return compareText(left.name, right.name) || compareText(left.namespace, right.namespace);
}

const collator = new Intl.Collator('en', { numeric: true });

function compareText(left: string, right: string): number {
  return collator.compare(left, right);
}
