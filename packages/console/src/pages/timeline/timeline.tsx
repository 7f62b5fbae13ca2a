import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LaneEvent, LaneView, StepView, TimelineView } from '../../model/timeline.js';
import { useNow } from '../clock/use-now.js';
import { clockTime, span } from '../parts/text.js';
import { ObjectLink } from '../parts/object-link.js';

/** The milestones of the cluster, updated live. The slider selects an earlier time to show. */
export function Timeline({ timeline }: { readonly timeline: TimelineView }): JSX.Element {
  const now = useNow(1_000);
  const [scrubbed, setScrubbed] = useState<number | undefined>();
  const last = Math.max(1, ...Object.values(timeline.lanes).flatMap(({ steps }) => steps.map(({ atMs }) => atMs)));
  const endMs = timeline.tookMs === undefined ? Math.max(last, now - timeline.startedAt) : last;
  const atMs = Math.min(scrubbed ?? endMs, endMs);
  const lanes = Object.entries(timeline.lanes).toSorted(
    ([, left], [, right]) => laneRank(left) - laneRank(right) || firstAt(left) - firstAt(right),
  );
  return (
    <div class="timeline">
      <p class="timeline-head">
        {timeline.tookMs === undefined ? (
          <>In progress for {span(now - timeline.startedAt)}.</>
        ) : (
          <>
            Available after <b>{span(timeline.tookMs)}</b>.
          </>
        )}{' '}
        Started at {clockTime(timeline.startedAt)}.
      </p>
      <Scrubber
        atMs={atMs}
        endMs={endMs}
        startedAt={timeline.startedAt}
        onChange={setScrubbed}
        isLive={scrubbed === undefined}
      />
      <Phases timeline={timeline} endMs={endMs} atMs={atMs} />
      <div class="lanes" role="list" aria-label="Timelines of controllers and machines">
        {lanes.map(([key, lane]) => (
          <Lane key={key} lane={lane} atMs={atMs} endMs={endMs} />
        ))}
      </div>
      <CriticalPath timeline={timeline} atMs={atMs} />
    </div>
  );
}

function laneRank({ kind }: LaneView): number {
  if (kind.endsWith('ControlPlane')) return 2;
  const ranks: Readonly<Record<string, number>> = {
    Cluster: 0,
    MachineDeployment: 3,
    MachinePool: 3,
    MachineSet: 4,
    Machine: 5,
  };
  return ranks[kind] ?? 1;
}

function firstAt({ steps }: LaneView): number {
  return Math.min(Number.MAX_SAFE_INTEGER, ...steps.map(({ atMs }) => atMs));
}

interface ScrubberProps {
  readonly atMs: number;
  readonly endMs: number;
  readonly startedAt: number;
  readonly isLive: boolean;
  readonly onChange: (atMs: number | undefined) => void;
}

function Scrubber({ atMs, endMs, startedAt, isLive, onChange }: ScrubberProps): JSX.Element {
  return (
    <div class="scrubber">
      <label for="scrub">Time</label>
      <input
        id="scrub"
        type="range"
        min={0}
        max={Math.ceil(endMs)}
        step={Math.max(1, Math.round(endMs / 500))}
        value={atMs}
        aria-valuetext={`${span(atMs)} after the manifest was applied`}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
      <output for="scrub">
        {clockTime(startedAt + atMs)} (+{span(atMs)})
      </output>
      <button type="button" onClick={() => onChange(undefined)} disabled={isLive}>
        Now
      </button>
    </div>
  );
}

function percent(ms: number, endMs: number): string {
  return `${Math.min(100, Math.max(0, (ms / endMs) * 100)).toFixed(3)}%`;
}

function Phases({
  timeline,
  endMs,
  atMs,
}: {
  readonly timeline: TimelineView;
  readonly endMs: number;
  readonly atMs: number;
}): JSX.Element {
  return (
    <ol class="phases" aria-label="Phases">
      {timeline.phases
        .filter(({ name }) => name !== 'manifest')
        .map(({ name, startMs, endMs: ended }) => (
          <li key={name} class={startMs > atMs ? 'future' : ''}>
            <span class="phase-name">{name}</span>
            <span class="bar-track">
              <span
                class={ended === undefined ? 'bar open' : 'bar'}
                style={{ left: percent(startMs, endMs), width: percent((ended ?? endMs) - startMs, endMs) }}
              />
            </span>
            <span class="phase-time">{ended === undefined ? '…' : span(ended - startMs)}</span>
          </li>
        ))}
    </ol>
  );
}

function Lane({
  lane,
  atMs,
  endMs,
}: {
  readonly lane: LaneView;
  readonly atMs: number;
  readonly endMs: number;
}): JSX.Element {
  const reached = lane.steps.filter((step) => step.atMs <= atMs);
  const next = lane.steps.find((step) => step.atMs > atMs)?.what ?? lane.missing[0];
  const last = reached.at(-1);
  return (
    <div class={reached.length === 0 ? 'lane future' : 'lane'} role="listitem">
      <div class="lane-title">
        <small>{lane.kind}</small> <span title={lane.title}>{lane.title}</span>
      </div>
      <div class="lane-track">
        {lane.steps
          .filter((step) => step.fromMs <= atMs)
          .map((step) => (
            <Wait key={step.what} step={step} atMs={atMs} endMs={endMs} />
          ))}
        {next !== undefined && last !== undefined && lane.missing.length > 0 && (
          <span
            class="wait-bar open"
            style={{ left: percent(last.atMs, endMs), width: percent(atMs - last.atMs, endMs) }}
          />
        )}
        {reached.map((step) => (
          <span
            key={step.what}
            class={step.isCritical ? 'step critical' : 'step'}
            style={{ left: percent(step.atMs, endMs) }}
            title={`${step.what}, +${span(step.atMs)}${step.waitedFor === '' ? '' : `, after ${step.waitedFor}`}`}
          />
        ))}
        {lane.events
          .filter((event) => event.atMs <= atMs)
          .map((event, index) => (
            <span
              key={index}
              class={event.warning ? 'event warning' : 'event'}
              style={{ left: percent(event.atMs, endMs) }}
              title={`${event.reason}${causeText(event)}, +${span(event.atMs)}`}
            />
          ))}
        <span class="cursor" style={{ left: percent(atMs, endMs) }} />
      </div>
      <div class="lane-state">
        {last === undefined ? 'not started' : last.what}
        {next !== undefined && <small> waits for {next}</small>}
      </div>
    </div>
  );
}

function causeText({ change }: LaneEvent): string {
  return change === undefined ? '' : `: ${change.message} (${change.controller} controller)`;
}

/** A bar from the earliest possible start of a step to its completion. */
function Wait({
  step,
  atMs,
  endMs,
}: {
  readonly step: StepView;
  readonly atMs: number;
  readonly endMs: number;
}): JSX.Element {
  return (
    <span
      class={step.isCritical ? 'wait-bar critical' : 'wait-bar'}
      style={{
        left: percent(step.fromMs, endMs),
        width: percent(Math.min(step.atMs, atMs) - step.fromMs, endMs),
      }}
      title={`${step.what}: ${span(step.atMs - step.fromMs)}${step.waitedFor === '' ? '' : ` after ${step.waitedFor}`}`}
    />
  );
}

function CriticalPath({ timeline, atMs }: { readonly timeline: TimelineView; readonly atMs: number }): JSX.Element {
  return (
    <section aria-labelledby="critical">
      <h2 id="critical">Critical path</h2>
      <p class="soft">To make the cluster available earlier, make these steps faster.</p>
      <ol class="critical-path">
        {timeline.criticalPath.map(({ what, object, atMs: reachedMs, tookMs }) => (
          <li key={`${object.name} ${what}`} class={reachedMs > atMs ? 'future' : ''}>
            <span class="took">{span(tookMs)}</span>
            <span>{what}</span>
            <ObjectLink of={object} />
          </li>
        ))}
      </ol>
    </section>
  );
}
