import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConditionView, TreeItem } from '../../model/cluster.js';
import { useNow } from '../clock/use-now.js';
import { Mark } from '../parts/state-mark.js';
import { ObjectLink } from '../parts/object-link.js';
import { span } from '../parts/text.js';

/** Returns whether the object or one of its descendants is unhealthy. */
function deviates(item: TreeItem): boolean {
  const tone = item.condition?.tone;
  return tone === 'bad' || tone === 'wait' || item.deleting === true || item.children.some(deviates);
}

/** The tree of `slipway describe cluster`. Only branches with unhealthy objects are expanded. */
export function Tree({ root }: { readonly root: TreeItem }): JSX.Element {
  const now = useNow(10_000);
  return (
    <ul class="tree" aria-label="Objects of the cluster">
      <Branch item={root} level={0} now={now} />
    </ul>
  );
}

function Branch({
  item,
  level,
  now,
}: {
  readonly item: TreeItem;
  readonly level: number;
  readonly now: number;
}): JSX.Element {
  const [chosen, setChosen] = useState<boolean | undefined>();
  const [shows, setShows] = useState(false);
  const hasChildren = item.children.length > 0;
  const isOpen = chosen ?? (level < 2 || item.children.some(deviates));
  return (
    <li>
      <div class="branch">
        {hasChildren ? <Toggle item={item} isOpen={isOpen} onToggle={setChosen} /> : <span class="twist" />}
        <Title item={item} />
        <Counters item={item} />
        {item.condition !== undefined && <Condition condition={item.condition} now={now} />}
        {item.conditions !== undefined && item.conditions.length > 0 && (
          <button type="button" class="quiet small" aria-expanded={shows} onClick={() => setShows(!shows)}>
            {item.conditions.length} {item.conditions.length === 1 ? 'condition' : 'conditions'}
          </button>
        )}
      </div>
      {!shows && item.condition !== undefined && <Message condition={item.condition} />}
      {shows && <Conditions conditions={item.conditions ?? []} now={now} />}
      {isOpen && hasChildren && (
        <ul>
          {item.children.map((child) => (
            <Branch
              key={`${child.kind} ${child.name} ${child.group?.join() ?? ''}`}
              item={child}
              level={level + 1}
              now={now}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

interface ToggleProps {
  readonly item: TreeItem;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

function Toggle({ item, isOpen, onToggle }: ToggleProps): JSX.Element {
  return (
    <button
      type="button"
      class="twist"
      aria-expanded={isOpen}
      aria-label={`${item.kind} ${item.name}`}
      onClick={() => onToggle(!isOpen)}
    >
      {isOpen ? '▾' : '▸'}
    </button>
  );
}

function Title({ item }: { readonly item: TreeItem }): JSX.Element {
  const { heading, group, kind, namespace, name, apiVersion = '', version } = item;
  if (heading === true) return <span class="heading">{kind}</span>;
  if (group !== undefined)
    return (
      <span title={group.join(', ')}>
        {group.length} <span class="kind">{kind}s</span>
      </span>
    );
  const apiGroup = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  return (
    <span class="title">
      <ObjectLink of={{ group: apiGroup, kind, namespace, name }} />
      {version !== undefined && version !== '' && <em class="tag">{version}</em>}
      {item.deleting === true && <em class="tag bad">deleting</em>}
    </span>
  );
}

function Counters({ item: { counters } }: { readonly item: TreeItem }): JSX.Element | null {
  if (counters.replicas === undefined || !counters.replicas.includes('/')) return null;
  const { replicas, ready = 0, available = 0, upToDate = 0 } = counters;
  return (
    <span
      class="counters"
      title={`${replicas} existing, ${ready} ready, ${available} available, ${upToDate} up to date`}
    >
      {replicas} <small>{ready} ready</small>
    </span>
  );
}

function Condition({ condition, now }: { readonly condition: ConditionView; readonly now: number }): JSX.Element {
  const { tone, type, status, reason } = condition;
  const since = Date.parse(condition.lastTransitionTime);
  return (
    <span class={`condition ${tone}`}>
      <Mark tone={tone} />
      <span class="condition-type">
        {tone === 'off' ? `${type} ${status}` : type}
        {(tone === 'bad' || tone === 'wait') && reason !== '' && `: ${reason}`}
      </span>
      {Number.isFinite(since) && <small>{span(Math.max(0, now - since))}</small>}
    </span>
  );
}

/** The message of a condition. Hidden for healthy conditions. */
function Message({ condition }: { readonly condition: ConditionView }): JSX.Element | null {
  if (condition.tone === 'good' || condition.tone === 'off' || condition.message === '') return null;
  return <p class="branch-message">{condition.message}</p>;
}

function Conditions({
  conditions,
  now,
}: {
  readonly conditions: readonly ConditionView[];
  readonly now: number;
}): JSX.Element {
  return (
    <ul class="conditions">
      {conditions.map((condition) => (
        <li key={condition.type}>
          <Condition condition={condition} now={now} />
          <Message condition={condition} />
        </li>
      ))}
    </ul>
  );
}
