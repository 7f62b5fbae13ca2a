import type { JSX } from 'preact';
import type { ClusterView } from '../../model/cluster.js';
import { parseRefKey } from '../../model/cluster.js';
import { ClusterActions } from '../actions/cluster-actions.js';
import { useNow } from '../clock/use-now.js';
import { useFeed } from '../connection/use-feed.js';
import { ObjectDrawer } from '../object/object-drawer.js';
import { StateMark } from '../parts/state-mark.js';
import { span } from '../parts/text.js';
import { Link, pathTo, useLocation } from '../shell/router.js';
import { Timeline } from '../timeline/timeline.js';
import { WhyPanel } from '../why/why-panel.js';
import { Graph } from './graph.js';
import { Certificates, Changes, Events, Machines } from './tables.js';
import { Tree } from './tree.js';

const tabs = [
  { key: '', name: 'Overview' },
  { key: 'graph', name: 'Graph' },
  { key: 'timeline', name: 'Timeline' },
  { key: 'machines', name: 'Machines' },
  { key: 'certificates', name: 'Certificates' },
  { key: 'events', name: 'Events' },
  { key: 'changes', name: 'Changes' },
] as const;

interface ClusterPageProps {
  readonly namespace: string;
  readonly name: string;
  readonly tab: string;
}

export function ClusterPage({ namespace, name, tab }: ClusterPageProps): JSX.Element {
  const { view, gone, lost } = useFeed<ClusterView>(
    new URLSearchParams({ view: 'cluster', namespace, name }).toString(),
  );
  const { query } = useLocation();
  const open = parseRefKey(query.get('object') ?? '');
  return (
    <main id="main" class="cluster-page">
      <div class="cluster-main">
        <nav class="crumbs" aria-label="Breadcrumb">
          <Link to={pathTo()}>Fleet</Link> <span aria-hidden="true">/</span> {namespace}
        </nav>
        <Title name={name} view={view} />
        {gone !== '' && (
          <div class="empty">
            <p>{gone}</p>
            <p>
              <Link to={pathTo()}>Back to all clusters</Link>
            </p>
          </div>
        )}
        {view === undefined && gone === '' && <p class="empty">{lost === '' ? 'Loading the cluster…' : lost}</p>}
        {view !== undefined && (
          <>
            <ClusterActions view={view} cluster={{ group: 'cluster.x-k8s.io', kind: 'Cluster', namespace, name }} />
            {view.why !== undefined && <WhyPanel why={view.why} />}
            <nav class="tabs" aria-label="Cluster views">
              {tabs
                .filter(({ key }) => key !== 'changes' || view.changes !== undefined)
                .map(({ key, name: title }) => (
                  <Link
                    key={key}
                    to={pathTo('clusters', namespace, name, ...(key === '' ? [] : [key]))}
                    aria-current={tab === key ? 'page' : undefined}
                  >
                    {title}
                  </Link>
                ))}
            </nav>
            <Tab tab={tab} view={view} namespace={namespace} />
          </>
        )}
      </div>
      {open !== undefined && <ObjectDrawer of={open} cluster={name} />}
    </main>
  );
}

function Title({ name, view }: { readonly name: string; readonly view: ClusterView | undefined }): JSX.Element {
  const now = useNow(10_000);
  const summary = view?.summary;
  return (
    <div class="cluster-title">
      <h1>{name}</h1>
      {summary !== undefined && (
        <>
          <StateMark state={summary.state} />
          {summary.paused && <em class="tag">Paused</em>}
          <dl class="facts">
            <Fact
              name="Version"
              value={summary.running === '' ? summary.version : `${summary.running} → ${summary.version}`}
            />
            {summary.upgrade !== '' && <Fact name="Upgrade" value={summary.upgrade} />}
            <Fact name="Infrastructure" value={summary.infrastructure} />
            {summary.clusterClass !== '' && <Fact name="Class" value={summary.clusterClass} />}
            <Fact name="Control plane" value={summary.controlPlane.join('/')} />
            <Fact name="Workers" value={summary.workers.join('/')} />
            <Fact name="Age" value={span(Math.max(0, now - summary.createdAt))} />
          </dl>
        </>
      )}
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value === '' ? '–' : value}</dd>
    </div>
  );
}

function Tab({
  tab,
  view,
  namespace,
}: {
  readonly tab: string;
  readonly view: ClusterView;
  readonly namespace: string;
}): JSX.Element {
  switch (tab) {
    case 'graph':
      return <Graph graph={view.graph} />;
    case 'timeline':
      return <Timeline timeline={view.timeline} />;
    case 'machines':
      return <Machines view={view} namespace={namespace} />;
    case 'certificates':
      return <Certificates certificates={view.certificates} />;
    case 'events':
      return <Events events={view.events} />;
    case 'changes':
      return <Changes changes={view.changes ?? {}} />;
    default:
      return <Tree root={view.tree} />;
  }
}
