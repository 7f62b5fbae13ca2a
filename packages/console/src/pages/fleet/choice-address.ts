import {
  choiceDefault,
  type FilterKey,
  type FleetChoice,
  type GroupKey,
  type SortKey,
} from '../../model/fleet-list.js';
import { setQuery } from '../shell/router.js';

const filters: readonly FilterKey[] = [
  'all',
  'available',
  'coming',
  'unavailable',
  'blocked',
  'deleting',
  'upgrade',
  'paused',
];
const sorts: readonly SortKey[] = [
  'name',
  'state',
  'version',
  'infrastructure',
  'controlPlane',
  'workers',
  'createdAt',
];
const groups: readonly GroupKey[] = ['none', 'namespace', 'state', 'version', 'infrastructure', 'clusterClass'];

/** Parses the query of the URL. Invalid values are ignored. */
export function choiceOf(query: URLSearchParams): FleetChoice {
  const one = <T extends string>(name: string, known: readonly T[], otherwise: T): T =>
    known.find((value) => value === query.get(name)) ?? otherwise;
  return {
    search: query.get('search') ?? '',
    filter: one('filter', filters, choiceDefault.filter),
    sort: one('sort', sorts, choiceDefault.sort),
    descending: query.get('order') === 'descending',
    group: one('group', groups, choiceDefault.group),
  };
}

export function chooseInAddress({ search, filter, sort, descending, group }: FleetChoice): void {
  const unlessDefault = <Key extends keyof FleetChoice>(key: Key, value: FleetChoice[Key] & string): string =>
    value === choiceDefault[key] ? '' : value;
  setQuery({
    search,
    filter: unlessDefault('filter', filter),
    sort: unlessDefault('sort', sort),
    order: descending ? 'descending' : '',
    group: unlessDefault('group', group),
  });
}
